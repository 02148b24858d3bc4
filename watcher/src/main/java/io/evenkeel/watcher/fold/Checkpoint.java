package io.evenkeel.watcher.fold;

import io.evenkeel.api.ResourceVersion;
import io.evenkeel.api.record.Selection;
import java.util.Optional;

/**
 * The durable position of one shard.
 *
 * @param epoch of the cluster, 1 or more
 * @param clusterIdentity uid of the namespace kube-system; empty if it could not be read
 * @param selection what of the resource is known; the watch cannot resume with another
 * @param resourceVersion a watch from here misses nothing
 * @param relist why the watch cannot resume and a list must be compared first; absent if it can resume
 */
public record Checkpoint(
        long epoch,
        String clusterIdentity,
        Selection selection,
        ResourceVersion resourceVersion,
        Optional<String> relist) {
    /** Why a shard must be listed whose first list did not end: it holds a part of the objects. */
    public static final String FIRST_LIST = "first list interrupted";

    /** Whether no list of this shard has ever ended. */
    public boolean neverListed() {
        return relist.equals(Optional.of(FIRST_LIST));
    }

    /** This shard can only go on with a list. */
    public Checkpoint mustRelist(String reason) {
        return new Checkpoint(epoch, clusterIdentity, selection, resourceVersion, Optional.of(reason));
    }

    /** The watch has come this far. */
    public Checkpoint at(ResourceVersion version) {
        return new Checkpoint(epoch, clusterIdentity, selection, version, relist);
    }

    /** With another selection. */
    public Checkpoint seeing(Selection other) {
        return new Checkpoint(epoch, clusterIdentity, other, resourceVersion, relist);
    }
}
