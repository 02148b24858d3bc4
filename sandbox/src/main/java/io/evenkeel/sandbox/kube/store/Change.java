package io.evenkeel.sandbox.kube.store;

import java.util.Optional;

/**
 * One write.
 *
 * @param before the state that it replaced, if there was one
 * @param after the new state; for a deletion the last one, under the revision of the deletion
 */
public record Change(ObjectType type, Kind kind, Optional<Stored> before, Stored after) {
    /** What a watch calls it. */
    public enum Kind {
        ADDED,
        MODIFIED,
        DELETED
    }

    public long revision() {
        return after.revision();
    }
}
