package io.evenkeel.worker.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.api.json.Json;
import io.evenkeel.api.record.AttemptOutcome;
import io.evenkeel.api.record.AttemptOutcome.Result;
import io.evenkeel.api.record.Write;
import io.evenkeel.worker.task.OutcomeSender;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class KafkaOutcomeSenderTest {
    private final MockProducer<byte[], byte[]> producer =
            new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());
    private final AtomicInteger acknowledged = new AtomicInteger();

    @Test
    void givenOutcomeOverTheLimit_whenItIsRefused_thenItsKeyIsParkedInsteadOfTriedForEver() {
        try (var sender = new KafkaOutcomeSender(producer, "outcomes")) {
            sender.send(0, outcome(5_000), false, acknowledged::incrementAndGet);
            producer.errorNext(new RecordTooLargeException("too large"));
            assertThat(acknowledged).hasValue(0);
            producer.completeNext();

            assertThat(acknowledged).hasValue(1);
            assertThat(producer.history()).hasSize(2);
            AttemptOutcome sent = Json.read(producer.history().getLast().value(), AttemptOutcome.class);
            assertThat(sent.result()).isEqualTo(Result.FAILED_FOR_GOOD);
            assertThat(sent.attemptId()).isEqualTo("attempt");
            assertThat(sent.writes()).isEmpty();
            assertThat(sent.reason()).contains("too large", "5000 writes");
        }
    }

    @Test
    void givenKafkaDoesNotAnswer_whenItIsBack_thenTheOutcomeIsThereAndOnlyThenSafe() {
        try (var sender = new KafkaOutcomeSender(producer, "outcomes")) {
            sender.send(0, outcome(0), true, acknowledged::incrementAndGet);
            producer.errorNext(new TimeoutException("no answer"));
            await().until(() -> producer.history().size() == 2);
            assertThat(acknowledged).hasValue(0);
            producer.completeNext();

            assertThat(acknowledged).hasValue(1);
            assertThat(producer.history().getLast().headers().lastHeader(OutcomeSender.BEHIND))
                    .isNotNull();
        }
    }

    @Test
    void givenTheProcessEnds_whenAnOutcomeCanNoLongerBeSent_thenNobodyWaitsForIt() {
        var sender = new KafkaOutcomeSender(producer, "outcomes");
        sender.close();

        sender.send(0, outcome(0), false, acknowledged::incrementAndGet);

        assertThat(acknowledged).hasValue(1);
    }

    private static AttemptOutcome outcome(int writes) {
        Instant now = Instant.parse("2026-11-30T09:00:00Z");
        return new AttemptOutcome(
                "widgets",
                "local/test.evenkeel.io/Widget/default/a",
                "attempt",
                1,
                "worker",
                List.of(),
                "uid",
                "10",
                Optional.of(1L),
                now,
                now,
                Result.DONE,
                "",
                Optional.empty(),
                IntStream.range(0, writes)
                        .mapToObj(i -> new Write(
                                "apply",
                                "local/core/ConfigMap/default/child-" + i,
                                Optional.empty(),
                                Optional.of("uid"),
                                Optional.of(Integer.toString(i)),
                                "hash"))
                        .toList(),
                Optional.empty());
    }
}
