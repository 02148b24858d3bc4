package io.evenkeel.watcher;

import io.evenkeel.api.json.Json;
import io.evenkeel.api.record.ChangeEvent;
import io.evenkeel.api.record.CloudEventHeaders;
import io.evenkeel.api.record.Gap;
import io.evenkeel.api.topic.Topic;
import io.evenkeel.api.topic.TopicLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads a topic from its beginning as its consumers do: committed records only. */
final class EventLog implements AutoCloseable {
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();

    EventLog(String bootstrapServers, TopicLayout layout, Topic topic) {
        this.consumer = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers", bootstrapServers,
                        "isolation.level", "read_committed",
                        "fetch.max.wait.ms", "100",
                        "auto.offset.reset", "earliest"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        List<TopicPartition> partitions = IntStream.range(0, layout.partitions(topic))
                .mapToObj(partition -> new TopicPartition(layout.name(topic), partition))
                .toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
    }

    /** All records that are committed by now. */
    List<ConsumerRecord<byte[], byte[]>> records() {
        Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment());
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
                records.add(record);
            }
        }
        return List.copyOf(records);
    }

    List<ChangeEvent> events() {
        return events(event -> true);
    }

    List<ChangeEvent> events(Predicate<ChangeEvent> wanted) {
        return records().stream()
                .filter(record -> !isGap(record))
                .map(record -> Json.read(record.value(), ChangeEvent.class))
                .filter(wanted)
                .toList();
    }

    List<Gap> gaps() {
        return records().stream()
                .filter(EventLog::isGap)
                .map(record -> Json.read(record.value(), Gap.class))
                .toList();
    }

    @Override
    public void close() {
        consumer.close();
    }

    /** As {@link ServerHistory#changes} writes it. */
    static String describe(ChangeEvent event) {
        return event.type() + " " + event.name() + " " + event.uid() + " " + event.resourceVersion();
    }

    private static boolean isGap(ConsumerRecord<byte[], byte[]> record) {
        return CloudEventHeaders.text(record.headers(), CloudEventHeaders.TYPE)
                .orElse("")
                .equals(Gap.CLOUD_EVENT_TYPE);
    }
}
