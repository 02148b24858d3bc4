package io.evenkeel.runtime.kafka;

import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.runtime.settings.Catalogue;
import io.evenkeel.runtime.settings.Setting;
import io.evenkeel.runtime.settings.Settings;

/** The settings under {@code topics.}, which make a {@link TopicLayout}. */
public final class TopicSettings {
    /** Put before each topic's name. */
    public static final Setting<String> PREFIX =
            Setting.text("topics.prefix", TopicLayout.DEFAULT_PREFIX, "put before the name of each topic");

    /** Partitions of topics that are spread by object. */
    public static final Setting<Integer> PARTITIONS = Setting.integer(
            "topics.partitions",
            TopicLayout.DEFAULT_PARTITIONS,
            1,
            10_000,
            "partitions of every topic that is spread by object; can't be changed later");

    /** Partitions of the watches' state. */
    public static final Setting<Integer> WATCH_STATE_PARTITIONS = Setting.integer(
            "topics.watch-state-partitions",
            TopicLayout.DEFAULT_PARTITIONS,
            1,
            10_000,
            "partitions of watch-state; at most as many watcher processes share the work");

    /** Replicas of each partition. */
    public static final Setting<Integer> REPLICATION_FACTOR =
            Setting.integer("topics.replication-factor", 3, 1, 10, "replicas of each partition");

    /** Replicas that must have a record. */
    public static final Setting<Integer> MIN_INSYNC_REPLICAS = Setting.integer(
            "topics.min-insync-replicas", 2, 1, 10, "replicas that must have a record before it counts as written");

    /** All settings under {@code topics.}. */
    public static final Catalogue CATALOGUE =
            Catalogue.of(PREFIX, PARTITIONS, WATCH_STATE_PARTITIONS, REPLICATION_FACTOR, MIN_INSYNC_REPLICAS);

    private TopicSettings() {}

    /**
     * The layout that the settings describe.
     *
     * @throws IllegalArgumentException if they don't fit each other
     */
    public static TopicLayout from(Settings settings) {
        return new TopicLayout(
                settings.value(PREFIX),
                settings.value(PARTITIONS),
                settings.value(WATCH_STATE_PARTITIONS),
                settings.value(REPLICATION_FACTOR).shortValue(),
                settings.value(MIN_INSYNC_REPLICAS).shortValue());
    }
}
