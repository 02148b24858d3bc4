package io.evenkeel.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.reconciler.Outcome;
import io.evenkeel.reconciler.Worker;
import io.evenkeel.sandbox.kafka.EmbeddedKafka;
import io.evenkeel.worker.harness.ObjectLog;
import io.evenkeel.worker.harness.SlowWriter;
import io.evenkeel.worker.harness.Widget;
import io.evenkeel.worker.harness.WidgetCluster;
import io.evenkeel.worker.harness.WorkerSetting;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker that loses Kafka, but not the API server, amid a handler that writes. */
class WorkerCutOffIT {
    private static final Duration SOON = Duration.ofSeconds(90);
    private static final String CUT = "cut";

    private final List<String> said = new CopyOnWriteArrayList<>();
    private final Set<String> handledByOther = ConcurrentHashMap.newKeySet();

    @Test
    void givenAWorkerThatIsCutOffFromKafka_whenItsSessionIsOver_thenItWritesNoMoreAndComesBackAfterwards(
            @TempDir Path folder) throws Exception {
        try (EmbeddedKafka broker = EmbeddedKafka.builder().build().start();
                WidgetCluster cluster = WidgetCluster.start()) {
            Path kubeconfig = Files.writeString(folder.resolve("cluster"), cluster.kubeconfig());
            WorkerSetting topics = WorkerSetting.on(broker.bootstrapServers(), "cut-off.", 1, folder);
            Widget a = cluster.create("a");
            try (var log = new ObjectLog(topics.kafka(), topics.layout());
                    WorkerProcess cut = slow().start(setting(broker, topics, folder.resolve("cut"), kubeconfig)
                            .as(CUT)
                            .shortSession())) {
                log.put(a, cluster.json(a)).get();
                await().atMost(SOON).until(() -> said.contains("wrote 3"));

                broker.cutOff(client -> client.equals(CUT) || client.contains(cut.id()));
                try (WorkerProcess other = other().start(setting(broker, topics, folder.resolve("other"), kubeconfig)
                        .shortSession())) {
                    await().atMost(SOON).until(() -> handledByOther.contains("a"));
                    assertThat(said).last().asString().startsWith("refused");
                    assertThat(broker.lostRequests()).isPositive();
                    ConfigMap after = cluster.configMap("written").orElseThrow();
                    assertThat(after.getData()).containsEntry("by", "other");

                    broker.reconnect();
                    await().atMost(SOON).until(cut::isReady);
                    assertThat(cut.deadBecause()).isEmpty();
                    Widget b = cluster.create("b");
                    log.put(b, cluster.json(b)).get();
                    await().atMost(SOON)
                            .until(() -> handledByOther.contains("b")
                                    || said.getLast().startsWith("wrote"));
                    assertThat(other.deadBecause()).isEmpty();
                }
            }
        }
    }

    private static WorkerSetting setting(EmbeddedKafka broker, WorkerSetting topics, Path folder, Path kubeconfig) {
        return WorkerSetting.of(broker.bootstrapServers(), topics.layout(), folder, kubeconfig);
    }

    private Worker slow() {
        return Worker.named("writer")
                .reconcile(Widget.class)
                .owning(ConfigMap.class)
                .with((widget, context) -> SlowWriter.write(context, "cut", said::add));
    }

    private Worker other() {
        return Worker.named("writer")
                .reconcile(Widget.class)
                .owning(ConfigMap.class)
                .with((widget, context) -> {
                    context.apply(SlowWriter.written("other", 0));
                    handledByOther.add(widget.getMetadata().getName());
                    return Outcome.done();
                });
    }
}
