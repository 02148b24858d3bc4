package io.evenkeel.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.api.json.Json;
import io.evenkeel.api.record.AttemptOutcome;
import io.evenkeel.api.record.DeadLetter;
import io.evenkeel.api.topic.Topic;
import io.evenkeel.sandbox.kafka.EmbeddedKafka;
import io.evenkeel.sandbox.process.ChildJvm;
import io.evenkeel.sandbox.process.ChildProcess;
import io.evenkeel.worker.harness.LethalWorker;
import io.evenkeel.worker.harness.ObjectLog;
import io.evenkeel.worker.harness.Topics;
import io.evenkeel.worker.harness.WorkerSetting;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A handler that takes its whole process with it, in an instant and each time. */
class WorkerLostIT {
    private static final String POISON = "lethal/" + ObjectLog.key("poison");
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int MOST_DEATHS = 6;

    @Test
    void givenHandlerThatKillsItsProcess_whenItIsRestartedEachTime_thenItsKeyIsParkedAndWorkGoesOn(@TempDir Path folder)
            throws Exception {
        try (EmbeddedKafka broker = EmbeddedKafka.builder().build().start()) {
            WorkerSetting setting = WorkerSetting.on(broker.bootstrapServers(), "lethal.", 1, folder);
            try (var log = new ObjectLog(setting.kafka(), setting.layout())) {
                log.put("poison", 1, 1).get();

                int deaths = 0;
                String lastWords = "";
                Optional<DeadLetter> letter = Optional.empty();
                while (letter.isEmpty() && deaths < MOST_DEATHS) {
                    try (ChildProcess worker = start(setting, folder, deaths)) {
                        letter = awaitDeathOrLetter(worker, setting);
                        deaths += letter.isPresent() ? 0 : 1;
                        lastWords = worker.lastLines(20);
                        if (letter.isPresent()) {
                            log.put("other", 1, 1).get();
                            await().atMost(SOON).until(() -> isDone(setting, "other"));
                        }
                    }
                }

                assertThat(letter).as(lastWords).hasValueSatisfying(parked -> {
                    assertThat(parked.attempts()).isEqualTo(LethalWorker.ATTEMPTS);
                    assertThat(parked.failure().type()).isEqualTo(AttemptOutcome.Result.WORKER_LOST.name());
                });
                assertThat(deaths)
                        .as("only the first may go uncounted")
                        .isBetween(LethalWorker.ATTEMPTS, LethalWorker.ATTEMPTS + 1);
            }
        }
    }

    private static boolean isDone(WorkerSetting setting, String name) {
        return Topics.values(setting, Topic.OUTCOMES, AttemptOutcome.class).stream()
                .anyMatch(outcome ->
                        outcome.primary().endsWith("/" + name) && outcome.result() == AttemptOutcome.Result.DONE);
    }

    private static ChildProcess start(WorkerSetting setting, Path folder, int number) {
        return ChildJvm.of(LethalWorker.class)
                .arguments(setting.kafka().bootstrapServers(), setting.layout().prefix(), folder.toString())
                .jvmArguments("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m")
                .output(folder.resolve("worker-" + number + ".log"))
                .start();
    }

    private static Optional<DeadLetter> awaitDeathOrLetter(ChildProcess worker, WorkerSetting setting) {
        Optional<DeadLetter> letter = letter(setting);
        while (letter.isEmpty() && worker.awaitExit(Duration.ofMillis(500)).isEmpty()) {
            letter = letter(setting);
        }
        return letter;
    }

    private static Optional<DeadLetter> letter(WorkerSetting setting) {
        List<byte[]> values = Topics.records(setting, Topic.DEAD_LETTERS).stream()
                .filter(message -> new String(message.key(), StandardCharsets.UTF_8).equals(POISON))
                .map(message -> message.value())
                .toList();
        return values.isEmpty() ? Optional.empty() : Optional.of(Json.read(values.getLast(), DeadLetter.class));
    }
}
