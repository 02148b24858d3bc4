package io.evenkeel.worker.control;

import io.evenkeel.api.json.Json;
import io.evenkeel.api.json.MalformedRecordException;
import io.evenkeel.api.record.Pause;
import io.evenkeel.runtime.kafka.KafkaSettings;
import io.evenkeel.runtime.kafka.KafkaUnreachableException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the topic of pauses: all of it before any work begins, then as it changes. Every process reads all of it, so it
 * has no consumer group. A failure of Kafka only delays it.
 */
public final class PauseReader implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(PauseReader.class);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(500);

    private final KafkaSettings kafka;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final TopicPartition partition;
    private final Pauses pauses;
    private final Map<String, Pause> byKey = new HashMap<>();
    private final CountDownLatch caughtUp = new CountDownLatch(1);
    private final Thread thread;
    private volatile boolean closed;

    /** Does not connect yet. */
    public PauseReader(KafkaSettings kafka, String topic, Pauses pauses) {
        this.kafka = kafka;
        this.pauses = pauses;
        this.partition = new TopicPartition(topic, 0);
        this.consumer = new KafkaConsumer<>(
                kafka.mapWith(Map.of(
                        ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                        false,
                        ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
                        false)),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        this.thread = Thread.ofVirtual().name("pauses").unstarted(this::run);
    }

    /**
     * Reads what is paused now; what comes later is followed.
     *
     * @throws KafkaUnreachableException if Kafka does not answer
     */
    public void start() {
        thread.start();
        try {
            if (!caughtUp.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new KafkaUnreachableException(kafka, PATIENCE, new IllegalStateException("pauses were not read"));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaUnreachableException(kafka, PATIENCE, e);
        }
    }

    private void run() {
        try (consumer) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            while (!closed) {
                turnOnce();
            }
        } catch (WakeupException e) {
            log.debug("woken to stop");
        }
    }

    private void turnOnce() {
        try {
            long end = caughtUp.getCount() == 0
                    ? 0
                    : Optional.ofNullable(
                                    consumer.endOffsets(List.of(partition)).get(partition))
                            .orElse(0L);
            ConsumerRecords<byte[], byte[]> records = consumer.poll(caughtUp.getCount() == 0 ? POLL : Duration.ZERO);
            records.forEach(this::take);
            if (!records.isEmpty()) {
                pauses.are(byKey);
            }
            if (consumer.position(partition) >= end) {
                caughtUp.countDown();
            }
        } catch (WakeupException e) {
            throw e;
        } catch (KafkaException e) {
            log.atWarn().addKeyValue("cause", e.toString()).log("pauses are not followed: Kafka does not answer");
            pause();
        }
    }

    private void take(ConsumerRecord<byte[], byte[]> message) {
        if (message.key() == null) {
            log.atWarn().addKeyValue("offset", message.offset()).log("pause passed over: it has no key");
            return;
        }
        String key = new String(message.key(), StandardCharsets.UTF_8);
        if (message.value() == null) {
            byKey.remove(key);
            log.atInfo().addKeyValue("pause", key).log("resumed");
            return;
        }
        try {
            Pause pause = Json.read(message.value(), Pause.class);
            byKey.put(key, pause);
            log.atInfo()
                    .addKeyValue("pause", key)
                    .addKeyValue("by", pause.by())
                    .addKeyValue("reason", pause.reason())
                    .log("paused");
        } catch (MalformedRecordException e) {
            log.atWarn()
                    .addKeyValue("pause", key)
                    .addKeyValue("cause", String.valueOf(e.getMessage()))
                    .log("pause passed over: it cannot be read");
        }
    }

    private void pause() {
        try {
            Thread.sleep(POLL);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            closed = true;
        }
    }

    @Override
    public void close() {
        closed = true;
        consumer.wakeup();
        try {
            thread.join(Duration.ofSeconds(2));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
