package io.evenkeel.cli.connection;

import io.evenkeel.runtime.kafka.KafkaSettings;
import io.evenkeel.runtime.kafka.KafkaUnreachableException;
import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.process.StartupException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Writes a few records for a person who waits. Not thread-safe. */
public final class TopicWriter implements AutoCloseable {
    private final KafkaSettings kafka;
    private final KafkaProducer<byte[], byte[]> producer;

    /** Does not connect yet. */
    public TopicWriter(KafkaSettings kafka) {
        this.kafka = kafka;
        this.producer = new KafkaProducer<>(
                kafka.with(Map.of(
                        ProducerConfig.ACKS_CONFIG, "all",
                        ProducerConfig.MAX_BLOCK_MS_CONFIG, TopicReader.PATIENCE.toMillis(),
                        ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000,
                        ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 15_000,
                        ProducerConfig.LINGER_MS_CONFIG, 0)),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    /**
     * How many partitions a topic has: what is configured here need not be what the workers run on.
     *
     * @throws StartupException if Kafka cannot be reached
     */
    public int partitions(String topic) {
        try {
            return producer.partitionsFor(topic).size();
        } catch (TimeoutException e) {
            throw notWritten(e);
        }
    }

    /**
     * Writes records and waits until all are safe.
     *
     * @throws StartupException if one could not be written
     */
    public void write(Collection<ProducerRecord<byte[], byte[]>> records) {
        try {
            var sent = new ArrayList<Future<RecordMetadata>>();
            for (ProducerRecord<byte[], byte[]> record : records) {
                sent.add(producer.send(record));
            }
            for (Future<RecordMetadata> each : sent) {
                each.get();
            }
        } catch (ExecutionException e) {
            throw notWritten(Optional.ofNullable(e.getCause()).orElse(e));
        } catch (TimeoutException e) {
            throw notWritten(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw notWritten(e);
        }
    }

    private StartupException notWritten(Throwable cause) {
        return cause instanceof TimeoutException
                ? new KafkaUnreachableException(kafka, TopicReader.PATIENCE, cause)
                : new StartupException(
                        ExitCode.ERROR,
                        "Kafka at " + kafka.bootstrapServers() + " refused the request: " + cause.getMessage(),
                        cause);
    }

    @Override
    public void close() {
        producer.close();
    }
}
