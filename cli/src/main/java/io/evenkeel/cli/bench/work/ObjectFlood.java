package io.evenkeel.cli.bench.work;

import io.evenkeel.api.ObjectKey;
import io.evenkeel.api.Partitioner;
import io.evenkeel.api.record.ChangeEvent;
import io.evenkeel.api.record.ChangeType;
import io.evenkeel.api.record.ObjectHeaders;
import io.evenkeel.api.record.Origin;
import io.evenkeel.api.topic.Topic;
import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.runtime.kafka.KafkaSettings;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Writes states of ConfigMaps of about 1 KiB to {@code objects}, as a watcher does. Thread-safe. */
final class ObjectFlood implements AutoCloseable {
    private static final String NAMESPACE = "default";
    private static final String PREFIX = "bench-";
    private static final String PAYLOAD = "x".repeat(700);

    private final KafkaProducer<byte[], byte[]> producer;
    private final TopicLayout layout;
    private final List<String> clusters;

    /** Grows from one flood of a topic to the next. */
    private final AtomicLong version = new AtomicLong(MeasuredWorker.epochMicros());

    /** @param clusters over which the objects are spread */
    ObjectFlood(KafkaSettings kafka, TopicLayout layout, List<String> clusters) {
        this.producer = new KafkaProducer<>(
                kafka.mapWith(Map.of(ProducerConfig.LINGER_MS_CONFIG, 5, ProducerConfig.BATCH_SIZE_CONFIG, 256 << 10)),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        this.layout = layout;
        this.clusters = List.copyOf(clusters);
    }

    static String name(int number) {
        return PREFIX + number;
    }

    /** The number of a name; empty for one that is not of a flood. */
    static Optional<Integer> number(String name) {
        return name.startsWith(PREFIX)
                ? Optional.of(Integer.parseInt(name.substring(PREFIX.length())))
                : Optional.empty();
    }

    /** The partition of an object. */
    int partition(int number) {
        return Partitioner.partition(key(number), layout.partitions());
    }

    /** Writes the first states of that many objects, and waits until they are on the log. */
    @SuppressWarnings("FutureReturnValueIgnored") // the flush waits for them
    void firstStates(int count) {
        for (int number = 0; number < count; number++) {
            producer.send(message(number, 1, ChangeType.ADDED, Origin.LIST, ""));
        }
        producer.flush();
    }

    /** Writes a further state, which carries the time of its writing, and waits until it is on the log. */
    @SuppressWarnings("FutureReturnValueIgnored") // the flush waits for it
    void change(int number, long sequence) {
        producer.send(message(
                number,
                sequence + 2,
                ChangeType.MODIFIED,
                Origin.WATCH,
                ",\"sequence\":\"" + sequence + "\",\"sent\":\"" + MeasuredWorker.epochMicros() + "\""));
        producer.flush();
    }

    private ObjectKey key(int number) {
        return new ObjectKey(clusters.get(number % clusters.size()), "", "ConfigMap", NAMESPACE, name(number));
    }

    private ProducerRecord<byte[], byte[]> message(
            int number, long generation, ChangeType type, Origin origin, String moreData) {
        ObjectKey key = key(number);
        String uid = "uid-" + number;
        String resourceVersion = Long.toString(version.incrementAndGet());
        var message = new ProducerRecord<byte[], byte[]>(
                layout.name(Topic.OBJECTS),
                Partitioner.partition(key, layout.partitions()),
                key.toString().getBytes(StandardCharsets.UTF_8),
                ("{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"" + key.name()
                                + "\",\"namespace\":\"" + NAMESPACE + "\",\"uid\":\"" + uid
                                + "\",\"resourceVersion\":\"" + resourceVersion
                                + "\",\"creationTimestamp\":\"2026-01-01T00:00:00Z\",\"labels\":{\"app\":\"bench\"}},"
                                + "\"data\":{\"payload\":\"" + PAYLOAD + "\"" + moreData + "}}")
                        .getBytes(StandardCharsets.UTF_8));
        new ObjectHeaders(
                        ChangeEvent.id(key.cluster(), 1, uid, resourceVersion, type),
                        type,
                        origin,
                        1,
                        uid,
                        resourceVersion,
                        Optional.of(generation),
                        List.of("data"),
                        Instant.now(),
                        Optional.empty(),
                        Optional.empty())
                .addTo(message.headers());
        return message;
    }

    @Override
    public void close() {
        producer.close();
    }
}
