package io.evenkeel.watcher.fold;

import io.evenkeel.api.ResourceVersion;
import io.evenkeel.watcher.frame.SectionHashes;
import java.util.Optional;

/**
 * One state of one life of an object: what the index keeps, and what a sighting brings.
 *
 * @param epoch of the cluster, 1 or more; resourceVersions compare only within one
 * @param uid names the life: a re-created object has another
 * @param resourceVersion of the state
 * @param generation absent for kinds that have none
 * @param hashes of the object's sections
 */
public record Life(
        long epoch, String uid, ResourceVersion resourceVersion, Optional<Long> generation, SectionHashes hashes) {
    boolean sameLife(Life other) {
        return uid.equals(other.uid);
    }

    /** Whether this is later than {@code other}; a later epoch is later whatever its versions say. */
    boolean isAfter(Life other) {
        return epoch == other.epoch ? resourceVersion.isAfter(other.resourceVersion) : epoch > other.epoch;
    }

    /** Whether this shows the very state of {@code other}, so that there is nothing to tell. */
    boolean sameState(Life other) {
        return sameLife(other)
                && resourceVersion.equals(other.resourceVersion)
                && (epoch == other.epoch || hashes.equals(other.hashes));
    }
}
