package io.evenkeel.worker.harness;

import io.evenkeel.api.json.Json;
import io.evenkeel.api.topic.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads topics from the beginning to their present end. */
public final class Topics {
    private Topics() {}

    /** All values of a topic, in order per partition. */
    public static <T> List<T> values(WorkerSetting setting, Topic topic, Class<T> type) {
        return records(setting, topic).stream()
                .filter(message -> message.value() != null)
                .map(message -> Json.read(message.value(), type))
                .toList();
    }

    /** All records of a topic. */
    public static List<ConsumerRecord<byte[], byte[]>> records(WorkerSetting setting, Topic topic) {
        String name = setting.layout().name(topic);
        try (var consumer = new KafkaConsumer<>(
                setting.kafka().mapWith(Map.of()), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(name).stream()
                    .map(info -> new TopicPartition(name, info.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            var all = new ArrayList<ConsumerRecord<byte[], byte[]>>();
            while (partitions.stream()
                    .anyMatch(partition -> consumer.position(partition) < ends.getOrDefault(partition, 0L))) {
                consumer.poll(Duration.ofMillis(200)).forEach(all::add);
            }
            return all;
        }
    }
}
