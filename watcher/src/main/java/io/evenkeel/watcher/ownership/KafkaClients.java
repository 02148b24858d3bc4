package io.evenkeel.watcher.ownership;

import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.runtime.kafka.KafkaSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The Kafka clients of a watcher, with the properties that its promises hang on. Speed is the user's to tune: what is
 * configured under {@code kafka.} wins over the second group.
 *
 * @param kafka how to reach Kafka
 * @param layout names of topics
 * @param groupId of the watchers that share the shards
 * @param maxRecordBytes largest record
 */
public record KafkaClients(KafkaSettings kafka, TopicLayout layout, String groupId, int maxRecordBytes)
        implements ClientFactory {
    private static final int REQUEST_SLACK = 64 << 10;
    private static final long LEAST_BUFFER = 8L << 20;
    private static final int HEARTBEATS_OF_A_SESSION = 5;

    @Override
    public Producer<byte[], byte[]> producer(int partition) {
        Map<String, Object> tuned = new HashMap<>();
        tuned.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        // There is a producer for each partition, and it keeps a batch for each partition that it ever wrote to:
        // larger ones would take hundreds of mebibytes of heap whatever is watched.
        tuned.put(ProducerConfig.BATCH_SIZE_CONFIG, 64 << 10);
        tuned.put(ProducerConfig.BUFFER_MEMORY_CONFIG, Math.max(LEAST_BUFFER, 2L * maxRecordBytes));
        tuned.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 10_000);
        // The first request of a transaction is refused while the markers of the one before are still being written.
        // With more than one request in flight the next one then arrives out of order, is refused too, and both wait.
        tuned.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
        // Of a publisher that hangs: until then nobody sees what others wrote behind it. Longer than the brokers take
        // to
        // replace one of them (9 s until it is missed), because whoever waits for that must not lose its transaction.
        tuned.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, 20_000);
        tuned.put(ProducerConfig.RETRY_BACKOFF_MS_CONFIG, 2);
        tuned.put(ProducerConfig.RETRY_BACKOFF_MAX_MS_CONFIG, 500);
        tuned.put(ProducerConfig.RECONNECT_BACKOFF_MS_CONFIG, 50);
        tuned.put(ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 1_000);
        return new KafkaProducer<>(
                properties(
                        tuned,
                        Map.of(
                                ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                                layout.prefix() + "watcher-" + partition,
                                ProducerConfig.CLIENT_ID_CONFIG,
                                layout.prefix() + "watcher-" + partition,
                                ProducerConfig.ACKS_CONFIG,
                                "all",
                                ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
                                true,
                                ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
                                Math.max(1 << 20, maxRecordBytes + REQUEST_SLACK))),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    @Override
    public Consumer<byte[], byte[]> restorer(int partition) {
        return reader("watcher-restore-" + partition);
    }

    /** A consumer of committed records that belongs to no group. */
    Consumer<byte[], byte[]> reader(String name) {
        Map<String, Object> tuned = new HashMap<>();
        tuned.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 5_000);
        tuned.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 4 << 20);
        tuned.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 20_000);
        return new KafkaConsumer<>(
                properties(
                        tuned,
                        Map.of(
                                ConsumerConfig.CLIENT_ID_CONFIG,
                                layout.prefix() + name,
                                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                                false,
                                ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
                                false,
                                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                                "earliest",
                                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                                "read_committed")),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }

    @Override
    public Consumer<byte[], byte[]> member(Duration session) {
        Map<String, Object> tuned = new HashMap<>();
        tuned.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, (int) session.toMillis());
        tuned.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, (int)
                session.dividedBy(HEARTBEATS_OF_A_SESSION).toMillis());
        tuned.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 5_000);
        tuned.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, 4_000);
        tuned.put(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, CooperativeStickyAssignor.class.getName());
        return new KafkaConsumer<>(
                properties(
                        tuned,
                        Map.of(
                                ConsumerConfig.GROUP_ID_CONFIG,
                                groupId,
                                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                                false,
                                ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
                                false,
                                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                                "earliest")),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }

    private Map<String, Object> properties(Map<String, Object> tuned, Map<String, Object> needed) {
        tuned.putAll(kafka.properties());
        tuned.putAll(needed);
        return tuned;
    }
}
