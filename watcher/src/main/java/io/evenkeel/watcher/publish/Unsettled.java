package io.evenkeel.watcher.publish;

import io.evenkeel.watcher.health.ShardProgress;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/** What was folded since the last commit, so that it can be told when it is on the log. Not thread-safe. */
final class Unsettled {
    private final Function<ShardIndex, ShardProgress> progress;
    private final Map<ShardIndex, Count> counts = new HashMap<>();

    /** @param progress where it is told */
    Unsettled(Function<ShardIndex, ShardProgress> progress) {
        this.progress = progress;
    }

    void add(ShardIndex shard, Instant readAt) {
        Count count = counts.computeIfAbsent(shard, unused -> new Count());
        count.inputs++;
        count.newest = readAt;
    }

    /** All of it is on the log, or led to nothing. */
    void settle() {
        if (!counts.isEmpty()) {
            counts.forEach((shard, count) -> progress.apply(shard).settle(count.inputs, count.newest));
            counts.clear();
        }
    }

    private static final class Count {
        private int inputs;
        private Instant newest = Instant.MIN;
    }
}
