package io.evenkeel.endtoend;

import static io.evenkeel.endtoend.WatchedResource.DEPLOYMENTS;
import static io.evenkeel.endtoend.WatchedResource.MEMCACHEDS;
import static io.evenkeel.endtoend.WatchedResource.SERVICES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkeel.api.ObjectKey;
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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What goes wrong while both roles run: each is said, and nothing is lost. */
final class BadInputIT {
    private static final Duration AWAY = Duration.ofSeconds(30);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int RECORD_LIMIT = 20_000;
    private static final WatchedResource CONFIG_MAPS = new WatchedResource("", "v1", "configmaps", "ConfigMap");

    @TempDir
    private static Path folder;

    private static KubeSim kubernetes;
    private static Installation installation;
    private static ServerHistory history;
    private static EventLog events;
    private static ChildProcess watcher;

    @BeforeAll
    static void startBothRoles() throws Exception {
        List<WatchedResource> watched = List.of(MEMCACHEDS, DEPLOYMENTS, SERVICES, CONFIG_MAPS);
        kubernetes = KubeSim.builder().simulateWorkloads(true).start();
        installation = Installation.prepare(kubernetes.kubeconfig(), folder);
        history = ServerHistory.of(Installation.CLUSTER, kubernetes.kubeconfig(), watched);
        events = installation.open(Topic.EVENTS);
        watcher = installation.startWatcherOf(watched, "max-record-bytes: " + RECORD_LIMIT);
        installation.startWorker();
    }

    @AfterAll
    static void stopAll() {
        events.close();
        history.close();
        installation.close();
        kubernetes.close();
    }

    @Test
    void givenKafkaIsAwayForHalfAMinute_whenItIsBack_thenEveryChangeMeanwhileIsOnTheLogOnceAndReconciled()
            throws Exception {
        apply("before", 1);
        await("the log has begun")
                .atMost(PATIENCE)
                .until(() -> events.steps().keySet().stream()
                        .anyMatch(key -> key.name().equals("before")));

        Instant stopped = Instant.now();
        installation.kafka().stop();
        apply("meanwhile", 1);
        apply("meanwhile", 2);
        apply("before", 2);
        await("half a minute without Kafka")
                .atMost(AWAY.plusSeconds(10))
                .until(() -> Instant.now().isAfter(stopped.plus(AWAY)));
        installation.kafka().start();

        await("all is Ready with its newest spec")
                .atMost(Duration.ofMinutes(3))
                .until(() -> Memcacheds.isReady(Memcacheds.get(installation.client(), "before"), 2)
                        && Memcacheds.isReady(Memcacheds.get(installation.client(), "meanwhile"), 2));
        nothingIsMissingOrDoubled();
    }

    @Test
    void givenAnObjectThatBreaksItsSchema_whenItIsApplied_thenTheServerRefusesItWithTheFieldAndTheLogIsUntouched() {
        assertThatThrownBy(() -> apply("too-many", 101))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("spec.replicas");

        apply("good", 1);
        await("the good one is Ready")
                .atMost(PATIENCE)
                .until(() -> Memcacheds.isReady(Memcacheds.get(installation.client(), "good"), 1));
        assertThat(events.steps().keySet()).noneMatch(key -> key.name().equals("too-many"));
    }

    @Test
    void givenAnObjectOverTheRecordLimit_whenItIsWatched_thenItGoesWithoutItsBodyAndTheShardGoesOn() {
        configMap("small", 100);
        configMap("large", RECORD_LIMIT + 10_000);
        configMap("after", 100);

        await("all three are on the log")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(events.steps().keySet())
                        .extracting(ObjectKey::name)
                        .contains("small", "large", "after"));
        nothingIsMissingOrDoubled();
        assertThat(events.events())
                .filteredOn(event -> event.name().equals("large"))
                .singleElement()
                .satisfies(event -> {
                    assertThat(event.object()).isEmpty();
                    assertThat(event.objectOmitted().orElse("")).matches("too large \\(\\d+ bytes\\)");
                });
        assertThat(events.events())
                .filteredOn(event ->
                        event.kind().equals("ConfigMap") && !event.name().equals("large"))
                .hasSize(2)
                .extracting(ChangeEvent::objectOmitted)
                .allSatisfy(omitted -> assertThat(omitted).isEmpty());
        assertThat(watcher.outputText()).contains("large");
    }

    private static void nothingIsMissingOrDoubled() {
        await("the log equals the server's own history")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(events.steps()).isEqualTo(history.steps()));
    }

    private static void apply(String name, int replicas) {
        installation
                .client()
                .resource(Memcacheds.named(name, Map.of("replicas", replicas)))
                .inNamespace("default")
                .serverSideApply();
    }

    private static void configMap(String name, int size) {
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
