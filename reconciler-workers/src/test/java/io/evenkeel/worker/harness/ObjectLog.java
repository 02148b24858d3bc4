package io.evenkeel.worker.harness;

import io.evenkeel.api.ObjectKey;
import io.evenkeel.api.Partitioner;
import io.evenkeel.api.record.ChangeEvent;
import io.evenkeel.api.record.ChangeType;
import io.evenkeel.api.record.ObjectHeaders;
import io.evenkeel.api.record.Origin;
import io.evenkeel.api.topic.Topic;
import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.runtime.kafka.KafkaSettings;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Writes states of Widgets to {@code objects} as the watcher does. */
public final class ObjectLog implements AutoCloseable {
    /** Cluster of all test objects. */
    public static final String CLUSTER = "local";

    private final KafkaProducer<byte[], byte[]> producer;
    private final TopicLayout layout;
    private final AtomicLong versions = new AtomicLong(1_000);

    public ObjectLog(KafkaSettings kafka, TopicLayout layout) {
        this.producer = new KafkaProducer<>(
                kafka.mapWith(Map.of("linger.ms", 0)), new ByteArraySerializer(), new ByteArraySerializer());
        this.layout = layout;
    }

    /** The key of a Widget. */
    public static ObjectKey key(String name) {
        return new ObjectKey(CLUSTER, "test.evenkeel.io", "Widget", "default", name);
    }

    /** Writes a state that the watcher saw as it happened. */
    public Future<RecordMetadata> put(String name, long generation, int size) {
        return put(name, generation, size, Origin.WATCH, "");
    }

    /** Writes a state. */
    public Future<RecordMetadata> put(String name, long generation, int size, Origin origin, String moreMetadata) {
        long version = versions.incrementAndGet();
        ChangeType type = generation == 1 ? ChangeType.ADDED : ChangeType.MODIFIED;
        return producer.send(
                message(name, version, generation, type, origin, json(name, version, generation, size, moreMetadata)));
    }

    /** Writes the first state of a Widget of some cluster. */
    public Future<RecordMetadata> put(String cluster, String name) {
        long version = versions.incrementAndGet();
        ObjectKey key = new ObjectKey(cluster, "test.evenkeel.io", "Widget", "default", name);
        return producer.send(message(key, version, 1, ChangeType.ADDED, Origin.WATCH, json(name, version, 1, 1, "")));
    }

    /** Writes a state as an API server has it. */
    public Future<RecordMetadata> put(Widget state, String json) {
        ObjectMeta metadata = state.getMetadata();
        return producer.send(message(
                key(metadata.getName()),
                metadata.getUid(),
                Long.parseLong(metadata.getResourceVersion()),
                metadata.getGeneration(),
                ChangeType.ADDED,
                Origin.WATCH,
                json.getBytes(StandardCharsets.UTF_8)));
    }

    /** Writes the end of a life. */
    public Future<RecordMetadata> delete(String name) {
        return producer.send(message(name, versions.incrementAndGet(), 1, ChangeType.DELETED, Origin.WATCH, null));
    }

    private ProducerRecord<byte[], byte[]> message(
            String name,
            long version,
            long generation,
            ChangeType type,
            Origin origin,
            byte @org.jspecify.annotations.Nullable [] value) {
        return message(key(name), version, generation, type, origin, value);
    }

    private ProducerRecord<byte[], byte[]> message(
            ObjectKey key,
            long version,
            long generation,
            ChangeType type,
            Origin origin,
            byte @org.jspecify.annotations.Nullable [] value) {
        return message(key, "uid-" + key.name(), version, generation, type, origin, value);
    }

    private ProducerRecord<byte[], byte[]> message(
            ObjectKey key,
            String uid,
            long version,
            long generation,
            ChangeType type,
            Origin origin,
            byte @org.jspecify.annotations.Nullable [] value) {
        var message = new ProducerRecord<byte[], byte[]>(
                layout.name(Topic.OBJECTS),
                Partitioner.partition(key, layout.partitions()),
                key.toString().getBytes(StandardCharsets.UTF_8),
                value);
        new ObjectHeaders(
                        ChangeEvent.id(key.cluster(), 1, uid, Long.toString(version), type),
                        type,
                        origin,
                        1,
                        uid,
                        Long.toString(version),
                        Optional.of(generation),
                        List.of("spec"),
                        Instant.now(),
                        Optional.empty(),
                        Optional.empty())
                .addTo(message.headers());
        return message;
    }

    private static byte[] json(String name, long version, long generation, int size, String moreMetadata) {
        return ("{\"apiVersion\":\"test.evenkeel.io/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"" + name
                        + "\",\"namespace\":\"default\",\"uid\":\"uid-" + name + "\",\"resourceVersion\":\"" + version
                        + "\",\"generation\":" + generation + moreMetadata + "},\"spec\":{\"size\":" + size + "}}")
                .getBytes(StandardCharsets.UTF_8);
    }

    /** Writes anything to the first partition of a topic; an absent value is a tombstone. */
    public Future<RecordMetadata> write(Topic topic, String key, Optional<byte[]> value) {
        return producer.send(
                new ProducerRecord<>(layout.name(topic), 0, key.getBytes(StandardCharsets.UTF_8), value.orElse(null)));
    }

    public void flush() {
        producer.flush();
    }

    @Override
    public void close() {
        producer.close();
    }
}
