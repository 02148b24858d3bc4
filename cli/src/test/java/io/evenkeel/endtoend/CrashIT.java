package io.evenkeel.endtoend;

import static io.evenkeel.endtoend.WatchedResource.DEPLOYMENTS;
import static io.evenkeel.endtoend.WatchedResource.MEMCACHEDS;
import static io.evenkeel.endtoend.WatchedResource.SERVICES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.api.topic.Topic;
import io.evenkeel.sandbox.kube.KubeSim;
import io.evenkeel.sandbox.process.ChildProcess;
import io.evenkeel.sandbox.real.RealKubeApi;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CrashIT {
    private static final int OBJECTS = 200;
    private static final Duration POLL = Duration.ofMillis(300);

    @Test
    void givenWorkerAndWatcherAreKilledAmidChanges_whenTheyStartAgain_thenAllIsReadyAndTheLogIsExact(
            @TempDir Path folder) throws Exception {
        try (Cluster kubernetes = Cluster.start();
                var installation = Installation.prepare(kubernetes.kubeconfig(), folder);
                var history = ServerHistory.of(
                        Installation.CLUSTER, kubernetes.kubeconfig(), List.of(MEMCACHEDS, DEPLOYMENTS, SERVICES));
                var events = installation.open(Topic.EVENTS)) {
            ChildProcess watcher = installation.startWatcher();
            ChildProcess worker = installation.startWorker();

            Thread user = Thread.ofVirtual().start(() -> createAndChange(installation.client()));
            await("a third is on the log")
                    .atMost(Duration.ofMinutes(2))
                    .pollInterval(POLL)
                    .until(() -> memcachedsSeen(events) > OBJECTS / 3);
            worker.kill();
            await("two thirds are on the log")
                    .atMost(Duration.ofMinutes(2))
                    .pollInterval(POLL)
                    .until(() -> memcachedsSeen(events) > OBJECTS * 2 / 3);
            watcher.kill();
            installation.startWorker();
            installation.startWatcher();
            assertThat(user.join(Duration.ofMinutes(3))).isTrue();

            await("every object is Ready with its newest spec")
                    .atMost(Duration.ofMinutes(4))
                    .pollInterval(Duration.ofSeconds(1))
                    .untilAsserted(() -> {
                        List<GenericKubernetesResource> all = Memcacheds.all(installation.client());
                        assertThat(all)
                                .extracting(memcached -> memcached.getMetadata().getName())
                                .hasSize(OBJECTS);
                        assertThat(all.stream()
                                        .filter(memcached -> !Memcacheds.isReady(memcached, 2))
                                        .map(memcached ->
                                                memcached.getMetadata().getName() + " "
                                                        + memcached.get("status", "readyReplicas")))
                                .isEmpty();
                    });
            await("no duplicate, and no resourceVersion is missing")
                    .atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(events.steps()).isEqualTo(history.steps()));
            assertThat(events.gaps()).isEmpty();
        }
    }

    /** The real control plane where it can run, else the simulated one. */
    private record Cluster(String kubeconfig, Runnable stop) implements AutoCloseable {
        static Cluster start() throws IOException {
            if (RealKubeApi.assetsOrExplain().isPresent() && RealKubeApi.fullAvailable()) {
                RealKubeApi real = RealKubeApi.builder().full().build().start();
                return new Cluster(real.kubeconfig(), real::close);
            }
            KubeSim sim = KubeSim.builder().simulateWorkloads(true).start();
            return new Cluster(sim.kubeconfig(), sim::close);
        }

        @Override
        public void close() {
            stop.run();
        }
    }

    private static long memcachedsSeen(EventLog events) {
        return events.steps().keySet().stream()
                .filter(key -> key.kind().equals("Memcached"))
                .count();
    }

    private static void createAndChange(KubernetesClient client) {
        for (int i = 0; i < OBJECTS; i++) {
            apply(client, i, 1);
            if (i >= 5) {
                apply(client, i - 5, 2);
            }
        }
        for (int i = OBJECTS - 5; i < OBJECTS; i++) {
            apply(client, i, 2);
        }
    }

    private static void apply(KubernetesClient client, int index, int replicas) {
        GenericKubernetesResource memcached = Memcacheds.named("mc-" + index, Map.of("replicas", replicas));
        client.resource(memcached).inNamespace("default").serverSideApply();
    }
}
