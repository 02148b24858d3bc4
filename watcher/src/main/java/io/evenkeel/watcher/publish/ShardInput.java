package io.evenkeel.watcher.publish;

import io.evenkeel.api.ResourceVersion;
import io.evenkeel.api.record.Selection;
import io.evenkeel.watcher.fold.Checkpoint;
import io.evenkeel.watcher.frame.ScannedObject;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What a shard's watch hands to its partition's publisher, in the order in which the API server said it. */
public sealed interface ShardInput {
    /**
     * A list begins; what an earlier one that did not end brought no longer counts.
     *
     * @param version API version in which the objects are read
     * @param epoch of the cluster
     * @param clusterIdentity uid of the namespace kube-system; empty if it could not be read
     * @param selection what the list, and the watch after it, see
     * @param gap why what was known must be compared; empty if the shard was never listed
     */
    record ListStarted(String version, long epoch, String clusterIdentity, Selection selection, Optional<String> gap)
            implements ShardInput {}

    /**
     * An item of the list.
     *
     * @param object the item
     * @param observedAt when it was read
     */
    record Listed(ScannedObject object, Instant observedAt) implements ShardInput {}

    /**
     * The list is complete: what it did not hold is gone, and a watch may start.
     *
     * @param resourceVersion of the list
     * @param observedAt when it ended
     * @param committed completes when everything up to here is on the log
     */
    record ListCompleted(ResourceVersion resourceVersion, Instant observedAt, CompletableFuture<Boolean> committed)
            implements ShardInput {}

    /**
     * The watch showed a new state.
     *
     * @param object the state
     * @param observedAt when it was read
     * @param late whether the watch had passed its version before
     * @param resume position after it
     */
    record Upserted(ScannedObject object, Instant observedAt, boolean late, ResourceVersion resume)
            implements ShardInput {}

    /**
     * The watch showed an end.
     *
     * @param object final state
     * @param observedAt when it was read
     * @param resume position after it
     */
    record Deleted(ScannedObject object, Instant observedAt, ResourceVersion resume) implements ShardInput {}

    /**
     * The watch has come this far without a change.
     *
     * @param resume the position
     */
    record Bookmark(ResourceVersion resume) implements ShardInput {}

    /**
     * Whoever hands it on wants to follow the shard, and asks where it stands once all that was handed on before is folded.
     *
     * @param checkpoint completes with it; empty if the shard was never listed
     */
    record Joined(CompletableFuture<Optional<Checkpoint>> checkpoint) implements ShardInput {}

    /**
     * An input and whose it is.
     *
     * @param shard the shard
     * @param input what it said
     */
    record Addressed(ShardIndex shard, ShardInput input) implements Backlog.Weighted {
        @Override
        public int weight() {
            return input.weight();
        }
    }

    /** When it was read; empty for what says nothing of an object and so may wait for the next transaction. */
    default Optional<Instant> readAt() {
        return switch (this) {
            case Listed listed -> Optional.of(listed.observedAt());
            case Upserted upserted -> Optional.of(upserted.observedAt());
            case Deleted deleted -> Optional.of(deleted.observedAt());
            case ListCompleted completed -> Optional.of(completed.observedAt());
            case ListStarted started -> Optional.empty();
            case Bookmark bookmark -> Optional.empty();
            case Joined joined -> Optional.empty();
        };
    }

    /** Bytes that it holds in memory, roughly. */
    default int weight() {
        return switch (this) {
            case Listed listed -> listed.object().json().length + 512;
            case Upserted upserted -> upserted.object().json().length + 512;
            case Deleted deleted -> deleted.object().json().length + 512;
            case ListStarted started -> 128;
            case ListCompleted completed -> 128;
            case Bookmark bookmark -> 64;
            case Joined joined -> 64;
        };
    }
}
