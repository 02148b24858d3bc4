package io.evenkeel.watcher.ownership;

import io.evenkeel.api.ShardKey;
import io.evenkeel.api.record.Selection;
import io.evenkeel.watcher.fold.Checkpoint;
import io.evenkeel.watcher.health.StatusReports;
import io.evenkeel.watcher.publish.Backlog;
import io.evenkeel.watcher.publish.ShardIndex;
import io.evenkeel.watcher.publish.ShardInput;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/** Knows which shards lie on a partition at the moment, and how one is followed. Thread-safe. */
public interface ShardFactory {
    /** The shards of a partition, and how each is to be followed. */
    Map<ShardKey, ShardPlan> shardsOf(int partition);

    /**
     * What follows a shard until its thread is interrupted.
     *
     * @param from where it stands; empty if it was never listed
     * @param backlog where everything that it sees goes
     * @param pages limits how many pages are read at once into this backlog
     */
    Runnable watch(
            ShardKey shard,
            Selection selection,
            ShardIndex index,
            Optional<Checkpoint> from,
            Backlog<ShardInput.Addressed> backlog,
            Semaphore pages);

    /** What is to be said of a partition's shards; a new one for each publisher. */
    StatusReports reports(int partition);

    /** The shard is ours to follow. */
    void taken(ShardKey shard);

    /** It is ours no more, or there is no such shard any more. */
    void released(ShardKey shard);
}
