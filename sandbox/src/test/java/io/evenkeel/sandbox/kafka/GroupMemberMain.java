package io.evenkeel.sandbox.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.serialization.StringDeserializer;

/** A group member with a session of a second, which takes two to work on what it has read and then commits. */
final class GroupMemberMain {
    private GroupMemberMain() {}

    /** @param arguments bootstrap servers, and a topic that is the name of the group too */
    public static void main(String[] arguments) {
        Map<String, Object> config = Map.of(
                "bootstrap.servers",
                arguments[0],
                "group.id",
                arguments[1],
                "auto.offset.reset",
                "earliest",
                "enable.auto.commit",
                "false",
                "session.timeout.ms",
                1000,
                "heartbeat.interval.ms",
                200);
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
            consumer.subscribe(List.of(arguments[1]));
            while (true) {
                ConsumerRecords<String, String> records = consumer.poll(Duration.ofMillis(100));
                for (ConsumerRecord<String, String> record : records) {
                    System.out.println("read " + record.value());
                    LockSupport.parkNanos(Duration.ofSeconds(2).toNanos());
                    commit(consumer);
                }
            }
        }
    }

    private static void commit(KafkaConsumer<String, String> consumer) {
        try {
            consumer.commitSync();
            System.out.println("committed");
        } catch (CommitFailedException | RebalanceInProgressException e) {
            System.out.println("commit refused");
        }
    }
}
