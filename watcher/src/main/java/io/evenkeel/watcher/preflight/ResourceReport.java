package io.evenkeel.watcher.preflight;

import io.evenkeel.watcher.ResourceName;

/**
 * What was found of one resource of a cluster.
 *
 * @param resource which one
 * @param existence whether the cluster has it
 * @param list whether we may list it in all namespaces
 * @param watch whether we may watch it in all namespaces
 */
public record ResourceReport(ResourceName resource, Existence existence, Permission list, Permission watch) {
    /** Whether it can be watched as it is. */
    public boolean isWell() {
        return existence == Existence.PRESENT && isAllowed();
    }

    /** Whether we may do with it what a watcher does. */
    public boolean isAllowed() {
        return list == Permission.ALLOWED && watch == Permission.ALLOWED;
    }
}
