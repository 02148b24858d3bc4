package io.evenkeel.watcher;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Holds up one producer, as brokers do that do not answer; for clients that name it as {@code interceptor.classes}.
 * Consumers get it too, because the property is shared, and are let through.
 */
public final class HeldClient implements ProducerInterceptor<byte[], byte[]>, ConsumerInterceptor<byte[], byte[]> {
    static final Map<String, String> CLIENT_PROPERTIES = Map.of("interceptor.classes", HeldClient.class.getName());
    private static final Map<String, CountDownLatch> HELD = new ConcurrentHashMap<>();

    private String client = "";

    /** Kafka makes one for each client. */
    public HeldClient() {}

    static void hold(String clientId) {
        HELD.put(clientId, new CountDownLatch(1));
    }

    static void release(String clientId) {
        CountDownLatch held = HELD.remove(clientId);
        if (held != null) {
            held.countDown();
        }
    }

    @Override
    public void configure(Map<String, ?> configs) {
        client = String.valueOf(configs.get("client.id"));
    }

    @Override
    public ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> message) {
        CountDownLatch held = HELD.get(client);
        if (held != null) {
            try {
                held.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return message;
    }

    @Override
    public void onAcknowledgement(@Nullable RecordMetadata metadata, @Nullable Exception exception) {}

    @Override
    public ConsumerRecords<byte[], byte[]> onConsume(ConsumerRecords<byte[], byte[]> records) {
        return records;
    }

    @Override
    public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {}

    @Override
    public void close() {}
}
