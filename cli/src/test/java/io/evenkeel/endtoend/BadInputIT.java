package io.evenkeel.endtoend;

import static io.evenkeel.endtoend.WatchedResource.DEPLOYMENTS;
import static io.evenkeel.endtoend.WatchedResource.MEMCACHEDS;
import static io.evenkeel.endtoend.WatchedResource.SERVICES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkeel.api.record.ChangeEvent;
import io.evenkeel.api.topic.Topic;
import io.evenkeel.sandbox.kube.KubeSim;
import io.evenkeel.sandbox.process.ChildProcess;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What goes wrong while both roles run: each is said, and nothing is lost. */
final class BadInputIT {
    private static final Duration AWAY = Duration.ofSeconds(30);
    private static final WatchedResource CONFIG_MAPS = new WatchedResource("", "v1", "configmaps", "ConfigMap");

    @Test
    void givenKafkaIsAwayForHalfAMinute_whenItIsBack_thenEveryChangeMeanwhileIsOnTheLogOnceAndReconciled(
            @TempDir Path folder) throws Exception {
        try (KubeSim kubernetes = KubeSim.builder().simulateWorkloads(true).start();
                var installation = Installation.prepare(kubernetes.kubeconfig(), folder);
                var history = ServerHistory.of(
                        Installation.CLUSTER, kubernetes.kubeconfig(), List.of(MEMCACHEDS, DEPLOYMENTS, SERVICES));
                var events = installation.open(Topic.EVENTS)) {
            installation.start();
            apply(installation, "before", 1);
            await("the log has begun")
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> !events.steps().isEmpty());

            Instant stopped = Instant.now();
            installation.kafka().stop();
            apply(installation, "meanwhile", 1);
            apply(installation, "meanwhile", 2);
            apply(installation, "before", 2);
            await("half a minute without Kafka")
                    .atMost(AWAY.plusSeconds(10))
                    .until(() -> Instant.now().isAfter(stopped.plus(AWAY)));
            installation.kafka().start();

            await("all is Ready with its newest spec")
                    .atMost(Duration.ofMinutes(3))
                    .until(() -> Memcacheds.isReady(Memcacheds.get(installation.client(), "before"), 2)
                            && Memcacheds.isReady(Memcacheds.get(installation.client(), "meanwhile"), 2));
            await("nothing is missing or doubled")
                    .atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(events.steps()).isEqualTo(history.steps()));
        }
    }

    @Test
    void givenAnObjectThatBreaksItsSchema_whenItIsApplied_thenTheServerRefusesItWithTheFieldAndTheLogIsUntouched(
            @TempDir Path folder) throws Exception {
        try (KubeSim kubernetes = KubeSim.builder().simulateWorkloads(true).start();
                var installation = Installation.prepare(kubernetes.kubeconfig(), folder);
                var events = installation.open(Topic.EVENTS)) {
            installation.start();

            assertThatThrownBy(() -> apply(installation, "too-many", 101))
                    .isInstanceOf(KubernetesClientException.class)
                    .hasMessageContaining("spec.replicas");

            apply(installation, "good", 1);
            await("the good one is Ready")
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> Memcacheds.isReady(Memcacheds.get(installation.client(), "good"), 1));
            assertThat(events.steps().keySet()).noneMatch(key -> key.name().equals("too-many"));
        }
    }

    @Test
    void givenAnObjectOverTheRecordLimit_whenItIsWatched_thenItGoesWithoutItsBodyAndTheShardGoesOn(@TempDir Path folder)
            throws Exception {
        try (KubeSim kubernetes = KubeSim.builder().simulateWorkloads(true).start();
                var installation = Installation.prepare(kubernetes.kubeconfig(), folder);
                var history = ServerHistory.of(Installation.CLUSTER, kubernetes.kubeconfig(), List.of(CONFIG_MAPS));
                var events = installation.open(Topic.EVENTS)) {
            ChildProcess watcher = installation.startWatcherOf(List.of(CONFIG_MAPS), "max-record-bytes: 20000");
            configMap(installation, "small", 100);
            configMap(installation, "large", 30_000);
            configMap(installation, "after", 100);

            await("all three are on the log")
                    .atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(events.steps()).isEqualTo(history.steps()));
            assertThat(events.events())
                    .filteredOn(event -> event.name().equals("large"))
                    .singleElement()
                    .satisfies(event -> {
                        assertThat(event.object()).isEmpty();
                        assertThat(event.objectOmitted().orElse("")).matches("too large \\(\\d+ bytes\\)");
                    });
            assertThat(events.events())
                    .filteredOn(event -> !event.name().equals("large"))
                    .extracting(ChangeEvent::objectOmitted)
                    .allSatisfy(omitted -> assertThat(omitted).isEmpty());
            assertThat(watcher.outputText()).contains("large");
        }
    }

    private static void apply(Installation installation, String name, int replicas) {
        installation
                .client()
                .resource(Memcacheds.named(name, Map.of("replicas", replicas)))
                .inNamespace("default")
                .serverSideApply();
    }

    private static void configMap(Installation installation, String name, int size) {
        installation
                .client()
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withNamespace("default")
                        .endMetadata()
                        .addToData("text", "x".repeat(size))
                        .build())
                .create();
    }
}
