package io.evenkeel.runtime.kafka;

import io.evenkeel.runtime.settings.Catalogue;
import io.evenkeel.runtime.settings.Secret;
import io.evenkeel.runtime.settings.Setting;
import io.evenkeel.runtime.settings.Settings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * How to reach Kafka: what stands under {@code kafka.} in the settings goes to every client as it is.
 *
 * @param properties Kafka's client properties, with {@code bootstrap.servers}
 */
public record KafkaSettings(Map<String, String> properties) {
    /** Address of one or more brokers. */
    public static final Setting<List<String>> BOOTSTRAP_SERVERS =
            Setting.list("kafka.bootstrap.servers", List.of(), "brokers to start from, host:port, separated by commas");

    /** Settings under {@code kafka.}: one of ours, the others are Kafka's. */
    public static final Catalogue CATALOGUE = Catalogue.of(BOOTSTRAP_SERVERS).withOpenGroups("kafka");

    private static final String BOOTSTRAP = "bootstrap.servers";

    /** @throws IllegalArgumentException if no broker is named */
    public KafkaSettings {
        properties = Map.copyOf(properties);
        if (properties.getOrDefault(BOOTSTRAP, "").isBlank()) {
            throw new IllegalArgumentException("kafka.bootstrap.servers must name at least one broker but is empty."
                    + " Set it, or start a local Kafka with: evenkeel dev");
        }
    }

    /** Kafka at these brokers, without further properties. */
    public static KafkaSettings at(String bootstrapServers) {
        return new KafkaSettings(Map.of(BOOTSTRAP, bootstrapServers));
    }

    /** What the settings say. */
    public static KafkaSettings from(Settings settings) {
        return new KafkaSettings(settings.group("kafka"));
    }

    /** The brokers to start from, for messages. */
    public String bootstrapServers() {
        return properties.getOrDefault(BOOTSTRAP, "");
    }

    /**
     * Properties for a client.
     *
     * @param own what this client needs; wins over what is configured, because correctness hangs on it
     */
    public Properties with(Map<String, ?> own) {
        var merged = new Properties();
        merged.putAll(properties);
        merged.putAll(own);
        return merged;
    }

    /** As {@link #with}, for constructors that take a map. */
    public Map<String, Object> mapWith(Map<String, ?> own) {
        var merged = new HashMap<String, Object>(properties);
        merged.putAll(own);
        return merged;
    }

    @Override
    public String toString() {
        return new TreeMap<>(properties)
                .entrySet().stream()
                        .map(entry -> entry.getKey() + "="
                                + (Settings.looksSecret(entry.getKey()) ? Secret.HIDDEN : entry.getValue()))
                        .collect(Collectors.joining(", ", "KafkaSettings[", "]"));
    }
}
