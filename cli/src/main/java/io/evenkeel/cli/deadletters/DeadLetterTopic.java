package io.evenkeel.cli.deadletters;

import io.evenkeel.api.ControllerKey;
import io.evenkeel.api.Partitioner;
import io.evenkeel.api.json.Json;
import io.evenkeel.api.json.MalformedRecordException;
import io.evenkeel.api.record.DeadLetter;
import io.evenkeel.api.record.ReconcileRequest;
import io.evenkeel.api.record.RequestReason;
import io.evenkeel.api.record.Undecodable;
import io.evenkeel.api.topic.Topic;
import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.cli.connection.TopicReader;
import io.evenkeel.cli.connection.TopicWriter;
import io.evenkeel.cli.terminal.Texts;
import io.evenkeel.runtime.kafka.KafkaSettings;
import io.evenkeel.runtime.process.StartupException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;

/** The parked work of an installation, and the way back to work for it. */
final class DeadLetterTopic {
    private final KafkaSettings kafka;
    private final TopicLayout layout;

    DeadLetterTopic(KafkaSettings kafka, TopicLayout layout) {
        this.kafka = kafka;
        this.layout = layout;
    }

    /**
     * What lies on the topic.
     *
     * @param letters parked work, newest first
     * @param unreadable records that a worker, or this program, cannot read, newest first
     */
    record Content(List<DeadLetter> letters, List<Unreadable> unreadable) {}

    /**
     * A record that is no dead letter.
     *
     * @param key of the record
     * @param error what is wrong with it
     * @param at when it came here
     * @param size bytes of its value
     * @param text its value, as far as it can be printed
     */
    record Unreadable(String key, String error, Instant at, int size, String text) {}

    /** Reads all of it. */
    Content content() {
        var letters = new ArrayList<DeadLetter>();
        var unreadable = new ArrayList<Unreadable>();
        try (var reader = new TopicReader(kafka, layout.name(Topic.DEAD_LETTERS))) {
            reader.newest().forEach((key, record) -> {
                if (Undecodable.isKey(key)) {
                    unreadable.add(unreadable(key, record, error(record)));
                    return;
                }
                try {
                    letters.add(Json.read(record.value(), DeadLetter.class));
                } catch (MalformedRecordException e) {
                    unreadable.add(unreadable(key, record, String.valueOf(e.getMessage())));
                }
            });
        }
        letters.sort(Comparator.comparing(DeadLetter::parkedAt)
                .reversed()
                .thenComparing(letter -> letter.key().toString()));
        unreadable.sort(Comparator.comparing(Unreadable::at).reversed().thenComparing(Unreadable::key));
        return new Content(letters, unreadable);
    }

    private static Unreadable unreadable(String key, ConsumerRecord<byte[], byte[]> record, String error) {
        return new Unreadable(
                key,
                error,
                Instant.ofEpochMilli(record.timestamp()),
                record.value().length,
                Texts.printable(record.value()));
    }

    private static String error(ConsumerRecord<byte[], byte[]> record) {
        return Optional.ofNullable(record.headers().lastHeader(Undecodable.ERROR))
                .map(header -> new String(header.value(), StandardCharsets.UTF_8))
                .orElse("");
    }

    /**
     * Asks the workers to take these up again; each tombstones its dead letter when it does.
     *
     * @throws StartupException if a request could not be written
     */
    void redrive(Collection<DeadLetter> letters, Instant now, String by) {
        try (var writer = new TopicWriter(kafka)) {
            int partitions = writer.partitions(layout.name(Topic.REQUESTS));
            writer.write(letters.stream()
                    .map(letter -> request(letter.key(), partitions, now, by))
                    .toList());
        }
    }

    private ProducerRecord<byte[], byte[]> request(ControllerKey key, int partitions, Instant now, String by) {
        return new ProducerRecord<>(
                layout.name(Topic.REQUESTS),
                Partitioner.partition(key.primary(), partitions),
                key.toString().getBytes(StandardCharsets.UTF_8),
                Json.write(ReconcileRequest.of(key, now, new RequestReason.Redrive(by))));
    }
}
