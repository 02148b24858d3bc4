package io.evenkeel.watcher.preflight;

import io.evenkeel.watcher.ResourceName;
import java.util.Optional;

/**
 * What was found of one resource of a cluster.
 *
 * @param resource which one
 * @param namespace the only one in which it is watched; absent if it is watched in all
 * @param existence whether the cluster has it
 * @param list whether we may list it there
 * @param watch whether we may watch it there
 */
public record ResourceReport(
        ResourceName resource, Optional<String> namespace, Existence existence, Permission list, Permission watch) {
    /** Whether it can be watched as it is. */
    public boolean isWell() {
        return existence == Existence.PRESENT && isAllowed();
    }

    /** Whether we may do with it what a watcher does. */
    public boolean isAllowed() {
        return list == Permission.ALLOWED && watch == Permission.ALLOWED;
    }
}
