package io.evenkeel.worker.kafka;

import io.evenkeel.api.json.Json;
import io.evenkeel.api.record.AttemptOutcome;
import io.evenkeel.api.record.Failure;
import io.evenkeel.worker.task.OutcomeSender;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
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
        send(partition, outcome, false, behind, acknowledged);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the callback hears of the end
    private void send(int partition, AttemptOutcome outcome, boolean trimmed, boolean behind, Runnable acknowledged) {
        var message = new ProducerRecord<byte[], byte[]>(
                topic, partition, outcome.key().toString().getBytes(StandardCharsets.UTF_8), Json.write(outcome));
        if (behind) {
            message.headers().add(BEHIND, new byte[] {1});
        }
        try {
            producer.send(message, (metadata, error) -> {
                if (error == null) {
                    acknowledged.run();
                } else if (error instanceof RecordTooLargeException && !trimmed) {
                    String size = message.value().length + " bytes, "
                            + outcome.writes().size() + " writes";
                    log.atError()
                            .addKeyValue("key", outcome.key())
                            .addKeyValue("size", size)
                            .log("outcome too large");
                    send(partition, tooLarge(outcome, size), true, behind, acknowledged);
                } else {
                    again(() -> send(partition, outcome, trimmed, behind, acknowledged), acknowledged, error);
                }
            });
        } catch (KafkaException | IllegalStateException e) {
            again(() -> send(partition, outcome, trimmed, behind, acknowledged), acknowledged, e);
        }
    }

    /** No broker will ever take it: the key is parked, where a person sees why. */
    private static AttemptOutcome tooLarge(AttemptOutcome outcome, String size) {
        var failure = new Failure("OUTCOME_TOO_LARGE", "the outcome is too large for its topic: " + size, "");
        return new AttemptOutcome(
                outcome.controller(),
                outcome.primary(),
                outcome.attemptId(),
                outcome.attempt(),
                outcome.worker(),
                outcome.causes(),
                outcome.uid(),
                outcome.resourceVersion(),
                outcome.generation(),
                outcome.startedAt(),
                outcome.finishedAt(),
                AttemptOutcome.Result.FAILED_FOR_GOOD,
                failure.message(),
                Optional.of(failure),
                List.of(),
                Optional.empty());
    }

    /** Without its outcome an attempt would count as lost, so there is no giving up while the process lives. */
    @SuppressWarnings("FutureReturnValueIgnored") // what it runs handles its own failures
    private void again(Runnable next, Runnable acknowledged, Exception error) {
        if (closed) {
            acknowledged.run();
            return;
        }
        log.atWarn().addKeyValue("cause", error.toString()).log("outcome not written yet, trying again");
        later.schedule(next, BEFORE_NEXT_TRY.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        closed = true;
        later.shutdownNow();
        producer.close(CLOSE_LIMIT);
    }
}
