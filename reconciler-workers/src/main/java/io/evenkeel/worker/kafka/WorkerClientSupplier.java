package io.evenkeel.worker.kafka;

import io.evenkeel.worker.task.Acknowledgements;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.streams.KafkaClientSupplier;

/** Kafka Streams' clients as it makes them itself, but for the main consumer and the producer of each thread. */
public final class WorkerClientSupplier implements KafkaClientSupplier, Acknowledgements {
    /** What Kafka Streams appends to a thread's name to name its producer. */
    private static final String PRODUCER_SUFFIX = "-producer";

    private final BooleanSupplier keysAreWaiting;
    private final GroupProof proof;
    private final Map<String, TrackingProducer> producers = new ConcurrentHashMap<>();

    /**
     * @param keysAreWaiting whether a permit that becomes free must be used at once
     * @param proof is told what the consumer sees of its group
     */
    public WorkerClientSupplier(BooleanSupplier keysAreWaiting, GroupProof proof) {
        this.keysAreWaiting = keysAreWaiting;
        this.proof = proof;
    }

    @Override
    public Admin getAdmin(Map<String, Object> config) {
        return Admin.create(config);
    }

    @Override
    public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
        var producer = new TrackingProducer(config);
        producers.put(String.valueOf(config.get(ProducerConfig.CLIENT_ID_CONFIG)), producer);
        return producer;
    }

    @Override
    public CompletionStage<Boolean> of(Runnable sends) {
        String name = Thread.currentThread().getName() + PRODUCER_SUFFIX;
        TrackingProducer producer = producers.get(name);
        if (producer == null) {
            throw new IllegalStateException("no producer is named " + name + " but " + producers.keySet());
        }
        return producer.acknowledgementsOf(sends);
    }

    @Override
    public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
        return new FoldConsumer(config, keysAreWaiting, proof);
    }

    @Override
    public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
        return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    @Override
    public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
        return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }
}
