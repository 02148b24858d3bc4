package io.evenkeel.cli.pause;

import io.evenkeel.api.json.Json;
import io.evenkeel.api.json.MalformedRecordException;
import io.evenkeel.api.record.Pause;
import io.evenkeel.api.topic.Topic;
import io.evenkeel.cli.connection.SettingsOptions;
import io.evenkeel.cli.connection.TopicReader;
import io.evenkeel.cli.connection.TopicWriter;
import io.evenkeel.cli.terminal.Terminal;
import io.evenkeel.runtime.kafka.KafkaSettings;
import io.evenkeel.runtime.kafka.TopicSettings;
import io.evenkeel.runtime.settings.Settings;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * What is paused in an installation.
 *
 * @param kafka how to reach Kafka
 * @param name of the topic
 */
public record ControlsTopic(KafkaSettings kafka, String name) {
    /** The topic that the settings name. */
    public static ControlsTopic of(SettingsOptions options, Terminal terminal) {
        Settings settings = options.read(terminal);
        return new ControlsTopic(
                settings.as(KafkaSettings::from),
                settings.as(TopicSettings::from).name(Topic.CONTROLS));
    }

    /** All pauses, oldest first. What cannot be read is said to {@code terminal} and left out, as workers do. */
    public List<Pause> pauses(Terminal terminal) {
        try (var reader = new TopicReader(kafka, name)) {
            return reader.newest().entrySet().stream()
                    .flatMap(entry -> {
                        try {
                            return Optional.of(Json.read(entry.getValue().value(), Pause.class)).stream();
                        } catch (MalformedRecordException e) {
                            terminal.err().println(entry.getKey() + " cannot be read: " + e.getMessage());
                            terminal.err().flush();
                            return Optional.<Pause>empty().stream();
                        }
                    })
                    .sorted(Comparator.comparing(Pause::at))
                    .toList();
        }
    }

    void put(Pause pause) {
        write(pause.key(), Json.write(pause));
    }

    void remove(String key) {
        write(key, null);
    }

    private void write(String key, byte @org.jspecify.annotations.Nullable [] value) {
        try (var writer = new TopicWriter(kafka)) {
            writer.write(List.of(new ProducerRecord<>(name, 0, key.getBytes(StandardCharsets.UTF_8), value)));
        }
    }
}
