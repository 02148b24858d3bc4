package io.evenkeel.cli.explain;

import io.evenkeel.api.ControllerKey;
import io.evenkeel.api.json.Json;
import io.evenkeel.api.json.MalformedRecordException;
import io.evenkeel.api.record.AttemptOutcome;
import io.evenkeel.api.record.Cause;
import io.evenkeel.api.record.ChangeEvent;
import io.evenkeel.api.record.CloudEventHeaders;
import io.evenkeel.api.record.Write;
import io.evenkeel.api.topic.Topic;
import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.cli.connection.From;
import io.evenkeel.cli.connection.TopicReader;
import io.evenkeel.runtime.kafka.KafkaSettings;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * What was done for an object: its last attempts, oldest first, with the events that caused them and those that their writes
 * became.
 *
 * @param attempts of all controllers, in the order in which they ended
 * @param events by their id
 * @param written id of the event that a write became, by the object's key and the version
 */
record Story(List<AttemptOutcome> attempts, Map<String, ChangeEvent> events, Map<String, String> written) {
    /** Reads it from {@code outcomes} and {@code events}. */
    static Story read(KafkaSettings kafka, TopicLayout layout, ObjectQuery query, From from, int most) {
        List<AttemptOutcome> attempts = attempts(kafka, layout, query, from, most);
        Set<String> ids = new HashSet<>();
        Set<String> versions = new HashSet<>();
        for (AttemptOutcome attempt : attempts) {
            attempt.causes().forEach(cause -> cause.eventId().ifPresent(ids::add));
            attempt.writes().forEach(write -> version(write).ifPresent(versions::add));
        }
        Map<String, ChangeEvent> events = new HashMap<>();
        Map<String, String> written = new HashMap<>();
        if (!ids.isEmpty() || !versions.isEmpty()) {
            try (var reader = new TopicReader(kafka, layout.name(Topic.EVENTS))) {
                reader.read(
                        from,
                        false,
                        record -> {
                            keep(record, ids, versions, events, written);
                            return true;
                        },
                        () -> true);
            }
        }
        return new Story(attempts, events, written);
    }

    private static List<AttemptOutcome> attempts(
            KafkaSettings kafka, TopicLayout layout, ObjectQuery query, From from, int most) {
        var newest = new ArrayDeque<AttemptOutcome>();
        try (var reader = new TopicReader(kafka, layout.name(Topic.OUTCOMES))) {
            reader.read(
                    from,
                    false,
                    record -> {
                        outcome(record, query).ifPresent(outcome -> {
                            newest.add(outcome);
                            if (newest.size() > most) {
                                newest.remove();
                            }
                        });
                        return true;
                    },
                    () -> true);
        }
        return List.copyOf(newest);
    }

    private static Optional<AttemptOutcome> outcome(ConsumerRecord<byte[], byte[]> record, ObjectQuery query) {
        try {
            ControllerKey key = ControllerKey.parse(new String(record.key(), StandardCharsets.UTF_8));
            return query.matches(key.primary())
                    ? Optional.of(Json.read(record.value(), AttemptOutcome.class))
                    : Optional.empty();
        } catch (MalformedRecordException | IllegalArgumentException e) {
            return Optional.empty(); // not ours; workers put it aside and 'dead-letters list' tells of it
        }
    }

    /** The id in the headers tells most events apart without reading their bodies. */
    private static void keep(
            ConsumerRecord<byte[], byte[]> record,
            Set<String> ids,
            Set<String> versions,
            Map<String, ChangeEvent> events,
            Map<String, String> written) {
        Optional<String> id = CloudEventHeaders.text(record.headers(), CloudEventHeaders.ID);
        if (id.isEmpty() || record.value() == null) {
            return;
        }
        String key = new String(record.key(), StandardCharsets.UTF_8);
        Optional<String> version = version(id.get())
                .map(resourceVersion -> key + "@" + resourceVersion)
                .filter(versions::contains);
        if (version.isEmpty() && !ids.contains(id.get())) {
            return;
        }
        try {
            events.put(id.get(), Json.read(record.value(), ChangeEvent.class));
            version.ifPresent(text -> written.put(text, id.get()));
        } catch (MalformedRecordException e) {
            events.remove(id.get()); // shown as an event that is not kept
        }
    }

    /** {@code <cluster>:<epoch>:<uid>:<resourceVersion>:<type>}. */
    private static Optional<String> version(String eventId) {
        String[] parts = eventId.split(":", -1);
        return parts.length < 5 ? Optional.empty() : Optional.of(parts[parts.length - 2]);
    }

    private static Optional<String> version(Write write) {
        return write.resourceVersion().map(version -> write.key() + "@" + version);
    }

    /** The event behind a cause, if it is still kept. */
    Optional<ChangeEvent> event(Cause cause) {
        return cause.eventId().map(events::get);
    }

    /** The event that a write became, if the watcher has seen it. */
    Optional<ChangeEvent> event(Write write) {
        return version(write).map(written::get).map(events::get);
    }
}
