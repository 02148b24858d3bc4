package io.evenkeel.api.topic;

import io.evenkeel.api.record.RetryTier;
import java.time.Duration;
import java.util.Map;

/** Every topic of the engine: what it holds and how Kafka keeps it. */
public enum Topic {
    /** Change events, key {@link io.evenkeel.api.ObjectKey}; gap markers, key {@link io.evenkeel.api.ShardKey}. */
    EVENTS("events", Spread.BY_OBJECT, Cleanup.DELETE, 30),
    /** Newest state of every object, key {@link io.evenkeel.api.ObjectKey}. */
    OBJECTS("objects", Spread.BY_OBJECT, Cleanup.COMPACT, 7),
    /** Positions and index of the watches, key shard, or shard and object. */
    WATCH_STATE("watch-state", Spread.BY_SHARD, Cleanup.COMPACT, 1),
    /** Reasons to reconcile, key {@link io.evenkeel.api.ControllerKey}. */
    REQUESTS("requests", Spread.BY_OBJECT, Cleanup.DELETE, 7),
    /** Attempts, key {@link io.evenkeel.api.ControllerKey}. */
    OUTCOMES("outcomes", Spread.BY_OBJECT, Cleanup.DELETE, 30),
    /** Work that waits up to 100 ms. */
    RETRY_100MS(RetryTier.MILLIS_100),
    /** Work that waits up to 500 ms. */
    RETRY_500MS(RetryTier.MILLIS_500),
    /** Work that waits up to 2 s. */
    RETRY_2S(RetryTier.SECONDS_2),
    /** Work that waits up to 10 s. */
    RETRY_10S(RetryTier.SECONDS_10),
    /** Work that waits up to 1 min. */
    RETRY_1M(RetryTier.MINUTE_1),
    /** Work that waits up to 10 min. */
    RETRY_10M(RetryTier.MINUTES_10),
    /** Work that waits up to 1 h, again and again for longer. */
    RETRY_1H(RetryTier.HOUR_1),
    /** Parked work, key {@link io.evenkeel.api.ControllerKey}. */
    DEAD_LETTERS("dead-letters", Spread.BY_OBJECT, Cleanup.COMPACT, 7),
    /** Reports and findings of the audit. */
    AUDIT("audit", Spread.ONE, Cleanup.DELETE, 90),
    /** How each shard fares, key {@link io.evenkeel.api.ShardKey}; short, because whoever asks reads all of it. */
    WATCH_STATUS("watch-status", Spread.ONE, Cleanup.COMPACT_SOON, 1),
    /** What people have paused, key {@link io.evenkeel.api.record.Pause#key()}; every worker reads all of it. */
    CONTROLS("controls", Spread.ONE, Cleanup.COMPACT, 7);

    /** How a topic's records are spread over partitions. */
    public enum Spread {
        /** By the object's key; all such topics have the same number of partitions. */
        BY_OBJECT,
        /** By the shard's key. */
        BY_SHARD,
        /** One partition. */
        ONE
    }

    private static final int SHORT_SEGMENT_BYTES = 8 << 20;

    private final String suffix;
    private final Spread spread;
    private final Cleanup cleanup;
    private final Duration kept;

    Topic(String suffix, Spread spread, Cleanup cleanup, int days) {
        this.suffix = suffix;
        this.spread = spread;
        this.cleanup = cleanup;
        this.kept = Duration.ofDays(days);
    }

    Topic(RetryTier tier) {
        this("retry-" + tier.label(), Spread.BY_OBJECT, Cleanup.DELETE, 7);
    }

    /** The topic that holds a tier of the retry wheel. */
    public static Topic retry(RetryTier tier) {
        return switch (tier) {
            case MILLIS_100 -> RETRY_100MS;
            case MILLIS_500 -> RETRY_500MS;
            case SECONDS_2 -> RETRY_2S;
            case SECONDS_10 -> RETRY_10S;
            case MINUTE_1 -> RETRY_1M;
            case MINUTES_10 -> RETRY_10M;
            case HOUR_1 -> RETRY_1H;
        };
    }

    /** Name after the prefix, such as {@code watch-state}. */
    public String suffix() {
        return suffix;
    }

    /** How records are spread. */
    public Spread spread() {
        return spread;
    }

    /** Kafka's topic settings that the engine relies on. */
    public Map<String, String> settings() {
        String millis = Long.toString(kept.toMillis());
        return switch (cleanup) {
            case DELETE -> Map.of("cleanup.policy", "delete", "retention.ms", millis);
            case COMPACT -> Map.of("cleanup.policy", "compact", "delete.retention.ms", millis);
            case COMPACT_SOON ->
                Map.of(
                        "cleanup.policy",
                        "compact",
                        "delete.retention.ms",
                        millis,
                        "segment.bytes",
                        Integer.toString(SHORT_SEGMENT_BYTES));
        };
    }

    /** What Kafka removes. */
    private enum Cleanup {
        /** Records that are older than the days say. */
        DELETE,
        /** Records with a newer one under the same key; tombstones after the days. */
        COMPACT,
        /** The same, in segments so short that little of what has a newer one is left. */
        COMPACT_SOON
    }
}
