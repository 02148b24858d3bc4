package io.evenkeel.api.topic;

import java.util.Map;

/**
 * One topic as it should be, or as it was found.
 *
 * @param name full name
 * @param partitions number of partitions
 * @param replicationFactor replicas of each partition
 * @param settings Kafka's topic settings; of a found topic, all of them
 */
public record TopicSpec(String name, int partitions, short replicationFactor, Map<String, String> settings) {
    /** Takes a copy of the settings. */
    public TopicSpec {
        settings = Map.copyOf(settings);
    }
}
