package io.evenkeel.worker.ledger;

import io.evenkeel.api.record.ObjectHeaders;

/**
 * What identifies one state of a primary.
 *
 * @param uid its life
 * @param resourceVersion its version
 * @param generation version of its spec, -1 for kinds that have none
 * @param deleting whether it has a deletionTimestamp
 * @param epoch epoch of the cluster
 */
public record Sighting(String uid, String resourceVersion, long generation, boolean deleting, long epoch) {
    /** A state from the headers of its record. */
    public static Sighting of(ObjectHeaders headers, boolean deleting) {
        return new Sighting(
                headers.uid(), headers.resourceVersion(), headers.generation().orElse(-1L), deleting, headers.epoch());
    }

    /** Whether this state is the other or one before it in the same life. */
    public boolean isNoNewerThan(Sighting other) {
        return uid.equals(other.uid)
                && epoch == other.epoch
                && !Versions.isAfter(resourceVersion, other.resourceVersion);
    }
}
