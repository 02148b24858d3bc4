package io.evenkeel.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.api.record.AttemptOutcome;
import io.evenkeel.api.topic.Topic;
import io.evenkeel.reconciler.Outcome;
import io.evenkeel.reconciler.Worker;
import io.evenkeel.runtime.cluster.ClusterChoice;
import io.evenkeel.sandbox.fault.FaultProxy;
import io.evenkeel.sandbox.fault.rule.Darkness;
import io.evenkeel.sandbox.fault.upstream.Kubeconfig;
import io.evenkeel.sandbox.kafka.EmbeddedKafka;
import io.evenkeel.sandbox.kube.KubeSim;
import io.evenkeel.worker.harness.ObjectLog;
import io.evenkeel.worker.harness.Topics;
import io.evenkeel.worker.harness.Widget;
import io.evenkeel.worker.harness.WorkerSetting;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One worker of a folder of clusters, of which one is not there yet and one is out of reach for a while. */
class WorkerClustersIT {
    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    @Test
    void givenClustersThatAreUnknownOrOutOfReach_whenTheyCome_thenTheirKeysWereOnlyWaiting() throws Exception {
        Worker worker = Worker.named("widgets").reconcile(Widget.class).with((widget, context) -> {
            context.apply(new ConfigMapBuilder()
                    .withNewMetadata()
                    .withNamespace("default")
                    .withName(widget.getMetadata().getName())
                    .endMetadata()
                    .addToData("key", "value")
                    .build());
            return Outcome.done();
        });
        Path clusters = Files.createDirectory(folder.resolve("clusters"));
        try (EmbeddedKafka broker = EmbeddedKafka.builder().build().start();
                KubeSim sim = KubeSim.builder()
                        .clusters(List.of("alive", "dark", "late"))
                        .start();
                FaultProxy proxy = proxy(sim, "dark")) {
            WorkerSetting setting = WorkerSetting.on(broker.bootstrapServers(), "clusters.", 2, folder);
            define(clusters, "alive", sim.kubeconfig("alive"));
            define(
                    clusters,
                    "dark",
                    Kubeconfig.read(folder.resolve("direct"))
                            .through(Map.of("dark", new Kubeconfig.Entrance(proxy.url(), proxy.certificatePem()))));
            proxy.blackout(Darkness.REFUSED);
            WorkerConfig config = WorkerConfig.of(
                            setting.kafka(),
                            setting.layout(),
                            new ClusterChoice.Folder(clusters, Duration.ofMillis(100)))
                    .withStateDir(folder.resolve("many"));
            var meters = new SimpleMeterRegistry();
            try (var log = new ObjectLog(setting.kafka(), setting.layout());
                    WorkerProcess process = worker.start(config, meters)) {
                await().atMost(SOON).until(process::isReady);
                log.put("late", "a").get();
                for (int i = 0; i < 8; i++) {
                    log.put("dark", "b" + i).get();
                }
                awaitInterrupted(setting);
                log.put("alive", "c").get();
                awaitDone(setting, "alive", 1);
                assertThat(outcomes(setting, "late")).isEmpty();
                assertThat(outcomes(setting, "dark"))
                        .extracting(AttemptOutcome::result)
                        .doesNotContain(AttemptOutcome.Result.DONE);

                define(clusters, "late", sim.kubeconfig("late"));
                awaitDone(setting, "late", 1);
                proxy.restore();
                awaitDone(setting, "dark", 8);
                assertThat(Topics.records(setting, Topic.DEAD_LETTERS)).isEmpty();

                Files.delete(clusters.resolve("alive"));
                var more = new AtomicInteger();
                await().atMost(SOON).until(() -> {
                    log.put("alive", "d" + more.incrementAndGet()).get();
                    return meters.get("controller.queue.withheld").gauge().value() >= 1;
                });
                log.put("late", "e").get();
                awaitDone(setting, "late", 2);
                assertThat(Topics.records(setting, Topic.DEAD_LETTERS)).isEmpty();
            }
        }
    }

    private static void awaitInterrupted(WorkerSetting setting) {
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(outcomes(setting, "dark"))
                        .filteredOn(outcome -> outcome.result() == AttemptOutcome.Result.INTERRUPTED)
                        .isNotEmpty()
                        .allSatisfy(outcome ->
                                assertThat(outcome.reason()).startsWith("cluster dark cannot be reached: ")));
    }

    private static void awaitDone(WorkerSetting setting, String cluster, int count) {
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(outcomes(setting, cluster))
                        .filteredOn(outcome -> outcome.result() == AttemptOutcome.Result.DONE)
                        .hasSize(count));
    }

    private static List<AttemptOutcome> outcomes(WorkerSetting setting, String cluster) {
        return Topics.values(setting, Topic.OUTCOMES, AttemptOutcome.class).stream()
                .filter(outcome -> outcome.primary().startsWith(cluster + "/"))
                .toList();
    }

    private FaultProxy proxy(KubeSim sim, String name) throws Exception {
        Path direct = Files.writeString(folder.resolve("direct"), sim.kubeconfig(name));
        return FaultProxy.before(Kubeconfig.read(direct).upstream(name)).start();
    }

    private static void define(Path clusters, String name, String kubeconfig) throws Exception {
        Path hidden = Files.writeString(clusters.resolve("." + name), kubeconfig);
        Files.move(hidden, clusters.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }
}
