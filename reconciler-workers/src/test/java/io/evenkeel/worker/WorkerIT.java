package io.evenkeel.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.api.json.Json;
import io.evenkeel.api.record.Pause;
import io.evenkeel.api.topic.Topic;
import io.evenkeel.reconciler.Outcome;
import io.evenkeel.reconciler.Worker;
import io.evenkeel.sandbox.kafka.EmbeddedKafka;
import io.evenkeel.worker.harness.ObjectLog;
import io.evenkeel.worker.harness.Widget;
import io.evenkeel.worker.harness.WorkerSetting;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker beside a real broker. */
class WorkerIT {
    private static EmbeddedKafka kafka;

    @BeforeAll
    static void startKafka() {
        kafka = EmbeddedKafka.builder().build().start();
    }

    @AfterAll
    static void stopKafka() {
        kafka.close();
    }

    @Test
    void givenObject_whenItChanges_thenHandlerSeesNewestStateOnce(@TempDir Path folder) throws Exception {
        WorkerSetting setting = WorkerSetting.on(kafka.bootstrapServers(), "first.", 2, folder);
        List<Integer> sizes = new CopyOnWriteArrayList<>();
        Worker worker = Worker.named("widgets").reconcile(Widget.class).with((widget, context) -> {
            sizes.add(widget.getSpec().size());
            return Outcome.done();
        });
        try (var log = new ObjectLog(setting.kafka(), setting.layout());
                WorkerProcess process = worker.start(setting.config())) {
            log.put("a", 1, 3).get();
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(sizes).containsExactly(3));
            await().atMost(Duration.ofSeconds(30)).until(process::isReady);
            log.put("a", 2, 5).get();
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(sizes).containsExactly(3, 5));
        }
        assertThat(sizes).containsExactly(3, 5);
    }

    @Test
    void givenAPausedController_whenItsWorkerStarts_thenObjectsWaitUntilItIsResumed(@TempDir Path folder)
            throws Exception {
        WorkerSetting setting = WorkerSetting.on(kafka.bootstrapServers(), "paused.", 2, folder);
        List<String> handled = new CopyOnWriteArrayList<>();
        Worker worker = Worker.named("widgets")
                .reconcile(Widget.class)
                .with((widget, context) -> {
                    handled.add("paused " + widget.getMetadata().getName());
                    return Outcome.done();
                })
                .reconcile(Widget.class)
                .as("others")
                .with((widget, context) -> {
                    handled.add("other " + widget.getMetadata().getName());
                    return Outcome.done();
                });
        var pause = new Pause(
                Optional.of("widgets"), Optional.empty(), Optional.empty(), "maintenance", "ada", Instant.EPOCH);
        try (var log = new ObjectLog(setting.kafka(), setting.layout())) {
            log.write(Topic.CONTROLS, pause.key(), Optional.of(Json.write(pause)))
                    .get();
            log.put("a", 1, 3).get();
            try (WorkerProcess process = worker.start(setting.config())) {
                await().atMost(Duration.ofSeconds(30))
                        .untilAsserted(() -> assertThat(handled).containsExactly("other a"));
                log.write(Topic.CONTROLS, pause.key(), Optional.empty()).get();
                await().atMost(Duration.ofSeconds(30))
                        .untilAsserted(() -> assertThat(handled).containsExactly("other a", "paused a"));
                assertThat(process.deadBecause()).isEmpty();
            }
        }
    }
}
