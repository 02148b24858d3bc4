package io.evenkeel.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.reconciler.Outcome;
import io.evenkeel.reconciler.Worker;
import io.evenkeel.sandbox.kafka.EmbeddedKafka;
import io.evenkeel.sandbox.process.ChildJvm;
import io.evenkeel.sandbox.process.ChildProcess;
import io.evenkeel.worker.harness.ObjectLog;
import io.evenkeel.worker.harness.SlowWriter;
import io.evenkeel.worker.harness.Widget;
import io.evenkeel.worker.harness.WidgetCluster;
import io.evenkeel.worker.harness.WorkerSetting;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that stands still for longer than its session, amid a handler that writes, and then goes on. */
class WorkerFrozenIT {
    private static final Duration SOON = Duration.ofSeconds(60);

    @Test
    void givenAFrozenWorker_whenAnotherHasTakenOverAndItThaws_thenItWritesNoMore(@TempDir Path folder)
            throws Exception {
        try (EmbeddedKafka broker = EmbeddedKafka.builder().build().start();
                WidgetCluster cluster = WidgetCluster.start()) {
            Path kubeconfig = Files.writeString(folder.resolve("cluster"), cluster.kubeconfig());
            WorkerSetting topics = WorkerSetting.on(broker.bootstrapServers(), "frozen.", 1, folder);
            WorkerSetting setting =
                    WorkerSetting.of(broker.bootstrapServers(), topics.layout(), folder.resolve("second"), kubeconfig);
            Widget a = cluster.create("a");
            try (var log = new ObjectLog(setting.kafka(), setting.layout());
                    ChildProcess slow = start(setting, folder, kubeconfig)) {
                log.put(a, cluster.json(a)).get();
                slow.awaitLine("wrote 3", SOON);
                slow.freeze();
                Worker second = Worker.named("writer")
                        .reconcile(Widget.class)
                        .owning(ConfigMap.class)
                        .with((widget, context) -> {
                            context.apply(SlowWriter.written("second", 0));
                            return Outcome.done();
                        });
                try (WorkerProcess process = second.start(setting.shortSession())) {
                    await().atMost(SOON).until(() -> by(cluster).equals(Optional.of("second")));
                    String version = version(cluster);
                    slow.thaw();
                    slow.awaitLine("refused: .*", SOON);
                    assertThat(version(cluster)).as(slow.lastLines(20)).isEqualTo(version);
                    assertThat(process.deadBecause()).isEmpty();
                }
            }
        }
    }

    private static ChildProcess start(WorkerSetting setting, Path folder, Path kubeconfig) {
        return ChildJvm.of(SlowWriter.class)
                .arguments(
                        setting.kafka().bootstrapServers(),
                        setting.layout().prefix(),
                        folder.toString(),
                        kubeconfig.toString())
                .jvmArguments("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m")
                .output(folder.resolve("slow.log"))
                .start();
    }

    private static Optional<String> by(WidgetCluster cluster) {
        return cluster.configMap("written").map(map -> Map.copyOf(map.getData()).get("by"));
    }

    private static String version(WidgetCluster cluster) {
        return cluster.configMap("written").orElseThrow().getMetadata().getResourceVersion();
    }
}
