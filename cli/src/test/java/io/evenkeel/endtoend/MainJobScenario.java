package io.evenkeel.endtoend;

import static io.evenkeel.endtoend.WatchedResource.DEPLOYMENTS;
import static io.evenkeel.endtoend.WatchedResource.MEMCACHEDS;
import static io.evenkeel.endtoend.WatchedResource.SERVICES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.api.topic.Topic;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a user does in the first five minutes, step by step, with the log compared to the server's own history at each. */
final class MainJobScenario {
    private static final String NAME = "sessions";

    private final Installation installation;
    private final KubernetesClient client;
    private final ServerHistory history;
    private final EventLog events;

    private MainJobScenario(
            Installation installation, KubernetesClient client, ServerHistory history, EventLog events) {
        this.installation = installation;
        this.client = client;
        this.history = history;
        this.events = events;
    }

    /** Plays all steps against the API server that {@code kubeconfig} names. */
    static void play(String kubeconfig, Path folder, boolean podsRun) throws Exception {
        try (var installation = Installation.prepare(kubeconfig, folder);
                var history =
                        ServerHistory.of(Installation.CLUSTER, kubeconfig, List.of(MEMCACHEDS, DEPLOYMENTS, SERVICES));
                var events = installation.open(Topic.EVENTS)) {
            installation.start();
            new MainJobScenario(installation, installation.client(), history, events).allSteps(podsRun);
        }
    }

    private void allSteps(boolean podsRun) {
        apply(3);
        becomesReady(3);
        assertThat(client.services().inNamespace("default").withName(NAME).get())
                .isNotNull();
        if (podsRun) {
            assertThat(client.pods().inNamespace("default").list().getItems())
                    .hasSize(3)
                    .allSatisfy(pod -> assertThat(pod.getStatus().getPhase()).isEqualTo("Running"));
        }
        logEqualsHistory();

        apply(5);
        becomesReady(5);
        logEqualsHistory();

        String uid = deploymentUid();
        client.apps().deployments().inNamespace("default").withName(NAME).delete();
        await("the Deployment comes back")
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(client.apps()
                                .deployments()
                                .inNamespace("default")
                                .withName(NAME)
                                .get())
                        .isNotNull()
                        .extracting(deployment -> deployment.getMetadata().getUid())
                        .isNotEqualTo(uid));
        becomesReady(5);
        logEqualsHistory();

        client.genericKubernetesResources(Memcacheds.RESOURCE)
                .inNamespace("default")
                .withName(NAME)
                .delete();
        await("children are collected").atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            assertThat(client.apps()
                            .deployments()
                            .inNamespace("default")
                            .withName(NAME)
                            .get())
                    .isNull();
            assertThat(client.services().inNamespace("default").withName(NAME).get())
                    .isNull();
        });
        logEqualsHistory();
        onlyTombstonesAreLeft();
        assertThat(events.gaps()).isEmpty();
    }

    private void apply(int replicas) {
        GenericKubernetesResource memcached = Memcacheds.named(NAME, Map.of("replicas", replicas));
        client.resource(memcached).inNamespace("default").serverSideApply();
    }

    private void becomesReady(int replicas) {
        await("Ready=True with " + replicas + " replicas")
                .atMost(Duration.ofSeconds(90))
                .until(() -> Memcacheds.isReady(Memcacheds.get(client, NAME), replicas));
    }

    private String deploymentUid() {
        return client.apps()
                .deployments()
                .inNamespace("default")
                .withName(NAME)
                .get()
                .getMetadata()
                .getUid();
    }

    private void logEqualsHistory() {
        await("events holds what the server's own watch shows, once, in order")
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(events.steps()).isEqualTo(history.steps()));
    }

    private void onlyTombstonesAreLeft() {
        try (EventLog objects = installation.open(Topic.OBJECTS)) {
            await("the newest record of each of its objects is a tombstone")
                    .atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(objects.newest().entrySet().stream()
                                    .filter(entry -> entry.getKey().endsWith("/default/" + NAME)))
                            .hasSize(3)
                            .allSatisfy(entry -> assertThat(entry.getValue()).isEqualTo(Optional.empty())));
        }
    }
}
