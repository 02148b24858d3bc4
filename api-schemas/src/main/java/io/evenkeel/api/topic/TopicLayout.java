package io.evenkeel.api.topic;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * How the topics of one installation are named and sized.
 *
 * @param prefix put before each name, such as {@code evenkeel.}; letters, digits, {@code .}, {@code _} and {@code -}
 * @param partitions partitions of every topic that is spread by object, 1 to 10,000; can't be changed later
 * @param watchStatePartitions partitions of {@code watch-state}, 1 to 10,000: at most as many watcher processes share the
 *     shards
 * @param replicationFactor replicas of each partition, 1 to 10
 * @param minInsyncReplicas replicas that must have a record before it counts as written, 1 to {@code replicationFactor}
 */
public record TopicLayout(
        String prefix, int partitions, int watchStatePartitions, short replicationFactor, short minInsyncReplicas) {
    /** Prefix if none is configured. */
    public static final String DEFAULT_PREFIX = "evenkeel.";

    /** Partitions if none are configured. */
    public static final int DEFAULT_PARTITIONS = 12;

    /** @throws IllegalArgumentException naming the setting, its range and its value */
    public TopicLayout {
        require(
                prefix.matches("[A-Za-z0-9._-]{1,100}"),
                "topics.prefix must have 1 to 100 letters, digits, '.', '_' or '-' but is '" + prefix + "'");
        require(partitions >= 1 && partitions <= 10_000, "topics.partitions must be 1 to 10000 but is " + partitions);
        require(
                watchStatePartitions >= 1 && watchStatePartitions <= 10_000,
                "topics.watch-state-partitions must be 1 to 10000 but is " + watchStatePartitions);
        require(
                replicationFactor >= 1 && replicationFactor <= 10,
                "topics.replication-factor must be 1 to 10 but is " + replicationFactor);
        require(
                minInsyncReplicas >= 1 && minInsyncReplicas <= replicationFactor,
                "topics.min-insync-replicas must be 1 to topics.replication-factor (" + replicationFactor + ") but is "
                        + minInsyncReplicas);
    }

    /** A layout for one broker, with the given number of partitions for everything that is spread. */
    public static TopicLayout singleBroker(int partitions) {
        return new TopicLayout(DEFAULT_PREFIX, partitions, partitions, (short) 1, (short) 1);
    }

    /** The full name of a topic. */
    public String name(Topic topic) {
        return prefix + topic.suffix();
    }

    /** How many partitions a topic has. */
    public int partitions(Topic topic) {
        return switch (topic.spread()) {
            case BY_OBJECT -> partitions;
            case BY_SHARD -> watchStatePartitions;
            case ONE -> 1;
        };
    }

    /** All topics as they should be. */
    public List<TopicSpec> specs() {
        return Arrays.stream(Topic.values()).map(this::spec).toList();
    }

    private TopicSpec spec(Topic topic) {
        var settings = new java.util.TreeMap<>(topic.settings());
        settings.put("min.insync.replicas", Short.toString(minInsyncReplicas));
        return new TopicSpec(name(topic), partitions(topic), replicationFactor, Map.copyOf(settings));
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}
