package io.evenkeel.cli.bench.soak;

import io.evenkeel.api.ObjectKey;
import io.evenkeel.api.ShardKey;
import io.evenkeel.api.json.Json;
import io.evenkeel.api.record.ChangeEvent;
import io.evenkeel.api.record.CloudEventHeaders;
import io.evenkeel.api.record.Gap;
import io.evenkeel.api.record.ObjectHeaders;
import io.evenkeel.api.record.Origin;
import io.evenkeel.api.topic.Topic;
import io.evenkeel.api.topic.TopicLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Everything on {@code events} and {@code objects}, read committed, from the beginning. Not thread-safe. */
final class LogReader implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(50);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final String objectsTopic;
    private final Map<ObjectKey, List<LoggedEvent>> events = new HashMap<>();
    private final Map<ShardKey, List<Window>> gaps = new HashMap<>();
    private final Map<ObjectKey, Newest> objects = new HashMap<>();
    private long eventCount;
    private long gapCount;

    LogReader(String bootstrapServers, TopicLayout layout) {
        this.objectsTopic = layout.name(Topic.OBJECTS);
        this.consumer = new KafkaConsumer<>(
                Map.of(
                        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers,
                        ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed",
                        ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, "50",
                        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        var partitions = new ArrayList<TopicPartition>();
        for (Topic topic : List.of(Topic.EVENTS, Topic.OBJECTS)) {
            for (int partition = 0; partition < layout.partitions(topic); partition++) {
                partitions.add(new TopicPartition(layout.name(topic), partition));
            }
        }
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
    }

    /** Reads what was committed up to now. */
    void readOn() {
        Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment());
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                if (record.topic().equals(objectsTopic)) {
                    object(record);
                } else if (isGap(record)) {
                    gap(Json.read(record.value(), Gap.class));
                } else {
                    event(Json.read(record.value(), ChangeEvent.class));
                }
            }
        }
    }

    /** What was read of one shard. */
    ShardLog shard(SoakKind kind, String cluster, String namespace) {
        return new ShardLog(
                of(kind, cluster, namespace, events),
                List.copyOf(gaps.getOrDefault(kind.shard(cluster), List.of())),
                of(kind, cluster, namespace, objects));
    }

    /** Whether an object was seen, whatever became of it. */
    boolean knows(ObjectKey key) {
        return events.containsKey(key);
    }

    /** Whether an object was first seen by a watch, not by a list. */
    boolean wasWatched(ObjectKey key) {
        return events.containsKey(key) && events.get(key).getFirst().origin() == Origin.WATCH;
    }

    long events() {
        return eventCount;
    }

    long gaps() {
        return gapCount;
    }

    private static <V> Map<ObjectKey, V> of(SoakKind kind, String cluster, String namespace, Map<ObjectKey, V> all) {
        var chosen = new TreeMap<ObjectKey, V>();
        all.forEach((key, value) -> {
            if (key.equals(kind.key(cluster, namespace, key.name()))) {
                chosen.put(key, value);
            }
        });
        return chosen;
    }

    private void event(ChangeEvent event) {
        eventCount++;
        events.computeIfAbsent(event.key(), any -> new ArrayList<>())
                .add(new LoggedEvent(
                        event.type(),
                        Long.parseLong(event.resourceVersion()),
                        event.uid(),
                        event.origin(),
                        event.finalStateKnown(),
                        event.object().map(Content::of)));
    }

    private void gap(Gap gap) {
        gapCount++;
        gaps.computeIfAbsent(new ShardKey(gap.cluster(), gap.group(), gap.resource()), any -> new ArrayList<>())
                .add(new Window(gap.after().map(Long::parseLong).orElse(0L), Long.parseLong(gap.until())));
    }

    private void object(ConsumerRecord<byte[], byte[]> record) {
        ObjectHeaders headers = ObjectHeaders.from(record.headers());
        objects.put(
                ObjectKey.parse(new String(record.key(), StandardCharsets.UTF_8)),
                new Newest(
                        headers.uid(),
                        Long.parseLong(headers.resourceVersion()),
                        Optional.ofNullable(record.value())
                                .map(value -> Content.of(Json.mapper().readTree(value)))));
    }

    private static boolean isGap(ConsumerRecord<byte[], byte[]> record) {
        return CloudEventHeaders.text(record.headers(), CloudEventHeaders.TYPE)
                .equals(Optional.of(Gap.CLOUD_EVENT_TYPE));
    }

    @Override
    public void close() {
        consumer.close();
    }
}
