package io.evenkeel.watcher.ownership;

import io.evenkeel.api.ShardKey;
import io.evenkeel.watcher.fold.Checkpoint;
import io.evenkeel.watcher.health.StatusReports;
import io.evenkeel.watcher.publish.Backlog;
import io.evenkeel.watcher.publish.ShardIndex;
import io.evenkeel.watcher.publish.ShardInput;
import java.util.List;
import java.util.Optional;

/** Knows which shards lie on a partition, and how one is followed. */
public interface ShardFactory {
    /** The configured shards of a partition. */
    List<ShardKey> shardsOf(int partition);

    /** What follows a shard from its checkpoint until its thread is interrupted. */
    Runnable watch(
            ShardKey shard, ShardIndex index, Optional<Checkpoint> restored, Backlog<ShardInput.Addressed> backlog);

    /** What is to be said of a partition's shards; a new one for each publisher. */
    StatusReports reports(int partition);

    /** The shard's partition was assigned to us. */
    void taken(ShardKey shard);

    /** It is ours no more. */
    void released(ShardKey shard);
}
