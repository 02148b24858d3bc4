package io.evenkeel.worker.kafka;

import io.evenkeel.api.json.Json;
import io.evenkeel.api.record.AttemptOutcome;
import io.evenkeel.worker.task.OutcomeSender;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends outcomes with a producer that all attempts share, and again while Kafka is away. Thread-safe. */
public final class KafkaOutcomeSender implements OutcomeSender, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(KafkaOutcomeSender.class);
    private static final Duration BEFORE_NEXT_TRY = Duration.ofSeconds(1);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

    private final Producer<byte[], byte[]> producer;
    private final String topic;
    private final ScheduledExecutorService later = new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("outcomes-later").factory());
    private volatile boolean closed;

    /** @param producer closed with this */
    public KafkaOutcomeSender(Producer<byte[], byte[]> producer, String topic) {
        this.producer = producer;
        this.topic = topic;
    }

    @Override
    public void send(int partition, AttemptOutcome outcome, boolean behind, Runnable acknowledged) {
        var message = new ProducerRecord<byte[], byte[]>(
                topic, partition, outcome.key().toString().getBytes(StandardCharsets.UTF_8), Json.write(outcome));
        if (behind) {
            message.headers().add(BEHIND, new byte[] {1});
        }
        send(message, acknowledged);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the callback hears of the end
    private void send(ProducerRecord<byte[], byte[]> message, Runnable acknowledged) {
        try {
            producer.send(message, (metadata, error) -> {
                if (error == null) {
                    acknowledged.run();
                } else {
                    again(message, acknowledged, error);
                }
            });
        } catch (KafkaException | IllegalStateException e) {
            again(message, acknowledged, e);
        }
    }

    /** Without its outcome an attempt would count as lost, so there is no giving up while the process lives. */
    @SuppressWarnings("FutureReturnValueIgnored") // what it runs handles its own failures
    private void again(ProducerRecord<byte[], byte[]> message, Runnable acknowledged, Exception error) {
        if (closed) {
            acknowledged.run();
            return;
        }
        log.atWarn().addKeyValue("cause", error.toString()).log("outcome not written yet, trying again");
        later.schedule(
                () -> {
                    // The headers were frozen by the first send.
                    var copy = new ProducerRecord<byte[], byte[]>(
                            message.topic(),
                            message.partition(),
                            message.key(),
                            message.value(),
                            List.of(message.headers().toArray()));
                    send(copy, acknowledged);
                },
                BEFORE_NEXT_TRY.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        closed = true;
        later.shutdownNow();
        producer.close(CLOSE_LIMIT);
    }
}
