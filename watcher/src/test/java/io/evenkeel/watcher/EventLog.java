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
    private final List<ChangeEvent> events = new ArrayList<>();
    private final List<Gap> gaps = new ArrayList<>();

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
        parse();
        return events.stream().filter(wanted).toList();
    }

    List<Gap> gaps() {
        parse();
        return List.copyOf(gaps);
    }

    /** Each record once: tests ask again and again until something is there. */
    private void parse() {
        List<ConsumerRecord<byte[], byte[]>> all = records();
        for (ConsumerRecord<byte[], byte[]> record : all.subList(events.size() + gaps.size(), all.size())) {
            if (isGap(record)) {
                gaps.add(Json.read(record.value(), Gap.class));
            } else {
                events.add(Json.read(record.value(), ChangeEvent.class));
            }
        }
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
