package io.evenkeel.api.topic;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** One way in which the topics that exist differ from those that should; exactly one of these. */
public sealed interface TopicDifference {
    /** The topic's full name. */
    String topic();

    /** What is wrong and how to repair it, for people. */
    String message();

    /**
     * The topic does not exist.
     *
     * @param wanted how to create it
     */
    record Missing(TopicSpec wanted) implements TopicDifference {
        @Override
        public String topic() {
            return wanted.name();
        }

        @Override
        public String message() {
            return "topic " + topic() + " does not exist. Create it with: evenkeel topics apply";
        }
    }

    /**
     * The number of partitions differs. It decides where keys lie, so it can't be mended in place.
     *
     * @param topic full name
     * @param wanted configured number
     * @param found existing number
     */
    record PartitionCount(String topic, int wanted, int found) implements TopicDifference {
        @Override
        public String message() {
            return "topic " + topic + " has " + found + " partitions but " + wanted + " are configured. Set"
                    + " topics.partitions (or topics.watch-state-partitions) to what exists, or use another"
                    + " topics.prefix: keys would move between partitions, so it is never changed in place";
        }
    }

    /**
     * There are fewer replicas than must be in sync, so that no write could succeed.
     *
     * @param topic full name
     * @param replicationFactor replicas that exist
     * @param minInsyncReplicas replicas that must be in sync
     */
    record TooFewReplicas(String topic, short replicationFactor, int minInsyncReplicas) implements TopicDifference {
        @Override
        public String message() {
            return "topic " + topic + " has " + replicationFactor + " replicas but min.insync.replicas is "
                    + minInsyncReplicas + ". Add replicas with kafka-reassign-partitions, or lower"
                    + " topics.min-insync-replicas";
        }
    }

    /**
     * A setting differs.
     *
     * @param topic full name
     * @param name Kafka's name of the setting
     * @param wanted configured value
     * @param found existing value, or a word if there is none
     */
    record Setting(String topic, String name, String wanted, String found) implements TopicDifference {
        @Override
        public String message() {
            return "topic " + topic + " has " + name + "=" + found + " but it should be " + wanted
                    + ". Set it with: evenkeel topics apply";
        }
    }

    /** Whether {@code evenkeel topics apply} can mend it without moving or losing a record. */
    default boolean repairable() {
        return switch (this) {
            case Missing missing -> true;
            case Setting setting -> true;
            case PartitionCount count -> false;
            case TooFewReplicas replicas -> false;
        };
    }

    /**
     * Compares the topics that should exist with those that do.
     *
     * @param wanted from {@link TopicLayout#specs()}
     * @param found existing topics by full name
     * @return the differences, by topic; empty if there are none
     */
    static List<TopicDifference> between(List<TopicSpec> wanted, Map<String, TopicSpec> found) {
        var differences = new ArrayList<TopicDifference>();
        for (TopicSpec spec : wanted) {
            Optional.ofNullable(found.get(spec.name()))
                    .ifPresentOrElse(
                            existing -> compare(spec, existing, differences), () -> differences.add(new Missing(spec)));
        }
        return List.copyOf(differences);
    }

    private static void compare(TopicSpec wanted, TopicSpec found, List<TopicDifference> differences) {
        if (wanted.partitions() != found.partitions()) {
            differences.add(new PartitionCount(wanted.name(), wanted.partitions(), found.partitions()));
        }
        int minInsync = Integer.parseInt(wanted.settings().getOrDefault("min.insync.replicas", "1"));
        if (found.replicationFactor() < minInsync) {
            differences.add(new TooFewReplicas(wanted.name(), found.replicationFactor(), minInsync));
        }
        new TreeMap<>(wanted.settings()).forEach((name, value) -> {
            String actual = found.settings().getOrDefault(name, "unset");
            if (!actual.equals(value)) {
                differences.add(new Setting(wanted.name(), name, value, actual));
            }
        });
    }
}
