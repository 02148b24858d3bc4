package io.evenkeel.endtoend;

import io.evenkeel.api.ObjectKey;
import io.evenkeel.api.json.Json;
import io.evenkeel.api.record.ChangeEvent;
import io.evenkeel.api.record.CloudEventHeaders;
import io.evenkeel.api.record.Gap;
import io.evenkeel.api.topic.Topic;
import io.evenkeel.api.topic.TopicLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Everything that stands on one of our topics, read committed, from its beginning. Not thread-safe. */
final class EventLog implements AutoCloseable {
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    private final List<ChangeEvent> events = new ArrayList<>();
    private int parsed;

    EventLog(String bootstrapServers, TopicLayout layout, Topic topic) {
        consumer = new KafkaConsumer<>(
                Map.of(
                        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers,
                        ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed",
                        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        List<TopicPartition> partitions = new ArrayList<>();
        for (int partition = 0; partition < layout.partitions(topic); partition++) {
            partitions.add(new TopicPartition(layout.name(topic), partition));
        }
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
    }

    /** All records so far, in order per partition. */
    List<ConsumerRecord<byte[], byte[]>> records() {
        for (var batch = consumer.poll(Duration.ofMillis(100));
                !batch.isEmpty();
                batch = consumer.poll(Duration.ofMillis(20))) {
            batch.forEach(records::add);
        }
        return List.copyOf(records);
    }

    /** The change events so far. */
    List<ChangeEvent> events() {
        records();
        for (; parsed < records.size(); parsed++) {
            if (!isGap(records.get(parsed))) {
                events.add(Json.read(records.get(parsed).value(), ChangeEvent.class));
            }
        }
        return List.copyOf(events);
    }

    /** The gap markers so far. */
    List<Gap> gaps() {
        return records().stream()
                .filter(EventLog::isGap)
                .map(record -> Json.read(record.value(), Gap.class))
                .toList();
    }

    /** Each object's steps so far, oldest first. */
    Map<ObjectKey, List<Step>> steps() {
        var steps = new TreeMap<ObjectKey, List<Step>>();
        for (ChangeEvent event : events()) {
            steps.computeIfAbsent(event.key(), any -> new ArrayList<>())
                    .add(new Step(event.type(), event.uid(), event.resourceVersion()));
        }
        return steps;
    }

    /** Of a compacted topic: the newest value under each key; empty for a tombstone. */
    Map<String, Optional<byte[]>> newest() {
        var newest = new TreeMap<String, Optional<byte[]>>();
        for (ConsumerRecord<byte[], byte[]> record : records()) {
            newest.put(new String(record.key(), StandardCharsets.UTF_8), Optional.ofNullable(record.value()));
        }
        return newest;
    }

    private static boolean isGap(ConsumerRecord<byte[], byte[]> record) {
        return CloudEventHeaders.text(record.headers(), CloudEventHeaders.TYPE)
                .filter(Gap.CLOUD_EVENT_TYPE::equals)
                .isPresent();
    }

    @Override
    public void close() {
        consumer.close();
    }
}
