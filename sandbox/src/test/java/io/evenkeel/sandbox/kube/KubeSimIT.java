package io.evenkeel.sandbox.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkeel.sandbox.LoopbackPorts;
import io.evenkeel.sandbox.PortTakenException;
import io.evenkeel.sandbox.kube.json.Json;
import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class KubeSimIT {
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String DEPLOYMENT = """
        {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":{"replicas":2,
         "selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}ANNOTATIONS},
         "spec":{"containers":[{"name":"main","image":"nginx"}]}}}}
        """;

    private static String configMap(String name) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"" + name + "\"}}";
    }

    @Test
    void givenADataFolder_whenStartedAgain_thenObjectsVersionAndWatchesGoOn(@TempDir Path folder) throws Exception {
        String position;
        String token;
        try (KubeSim sim = KubeSim.builder().dataFolder(folder).start();
                SimClient client = SimClient.of(sim)) {
            position = Json.text(client.post(CONFIG_MAPS, configMap("before")), "metadata", "resourceVersion");
            client.post(CONFIG_MAPS, configMap("after"));
            client.delete(CONFIG_MAPS + "/before");
            token = sim.token();
        }

        try (KubeSim sim = KubeSim.builder().dataFolder(folder).start();
                SimClient client = SimClient.of(sim)) {
            assertThat(sim.token()).isEqualTo(token);
            assertThat(client.frames(CONFIG_MAPS + "?watch=1&timeoutSeconds=1&resourceVersion=" + position))
                    .containsExactly("ADDED after", "DELETED before");
            assertThat(client.names(CONFIG_MAPS)).containsExactly("after");
            assertThat(Long.parseLong(
                            Json.text(client.post(CONFIG_MAPS, configMap("later")), "metadata", "resourceVersion")))
                    .isGreaterThan(Long.parseLong(position) + 2);
        }
    }

    @Test
    void givenALongHistory_whenStartedAgain_thenPositionsBeforeTheWindowAreGone(@TempDir Path folder) throws Exception {
        String position;
        try (KubeSim sim = KubeSim.builder().dataFolder(folder).historyWindow(5).start();
                SimClient client = SimClient.of(sim)) {
            position = Json.text(client.post(CONFIG_MAPS, configMap("m0")), "metadata", "resourceVersion");
            for (int i = 1; i < 10; i++) {
                client.post(CONFIG_MAPS, configMap("m" + i));
            }
        }

        try (KubeSim sim = KubeSim.builder().dataFolder(folder).historyWindow(5).start();
                SimClient client = SimClient.of(sim)) {
            assertThat(client.names(CONFIG_MAPS)).hasSize(10);
            assertThat(client.frames(CONFIG_MAPS + "?watch=1&timeoutSeconds=1&resourceVersion=" + position))
                    .containsExactly("ERROR Expired");
        }
    }

    @Test
    void givenAFolderInUse_whenStarted_thenRefused(@TempDir Path folder) throws Exception {
        try (KubeSim first = KubeSim.builder().dataFolder(folder).start()) {
            assertThat(first.port()).isPositive();
            assertThatThrownBy(() -> KubeSim.builder().dataFolder(folder).start())
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void givenATakenPort_whenStarted_thenItSaysSo() throws Exception {
        int port = LoopbackPorts.free();
        try (ServerSocket other = new ServerSocket()) {
            other.bind(LoopbackPorts.address(port));

            assertThatThrownBy(() -> KubeSim.builder().port(port).start())
                    .isInstanceOf(PortTakenException.class)
                    .hasMessageContaining(Integer.toString(port))
                    .hasCauseInstanceOf(BindException.class);
        }
    }

    @Test
    void givenCompaction_whenAWatchOrAPageGoesOn_then410() throws Exception {
        try (KubeSim sim = KubeSim.builder().start();
                SimClient client = SimClient.of(sim)) {
            String position = Json.text(client.post(CONFIG_MAPS, configMap("a")), "metadata", "resourceVersion");
            client.post(CONFIG_MAPS, configMap("b"));
            JsonNode page = client.get(CONFIG_MAPS + "?limit=1");
            client.post(CONFIG_MAPS, configMap("c"));
            sim.compact();

            JsonNode expired = client.get(CONFIG_MAPS + "?limit=1&continue=" + Json.text(page, "metadata", "continue"));
            JsonNode rest = client.get(CONFIG_MAPS + "?limit=5&continue=" + Json.text(expired, "metadata", "continue"));
            assertThat(expired.path("code").intValue()).isEqualTo(410);
            assertThat(Json.text(expired, "reason")).isEqualTo("Expired");
            assertThat(rest.path("items").size()).isEqualTo(2);
            assertThat(client.frames(CONFIG_MAPS + "?watch=1&timeoutSeconds=1&resourceVersion=" + position))
                    .containsExactly("ERROR Expired");
        }
    }

    @Test
    void givenSeveralClusters_whenWritten_thenEachKeepsItsOwn() throws Exception {
        try (KubeSim sim = KubeSim.builder().clusters(List.of("one", "two")).start();
                SimClient client = SimClient.of(sim)) {
            client.post("/clusters/one" + CONFIG_MAPS, configMap("a"));

            assertThat(client.names("/clusters/one" + CONFIG_MAPS)).containsExactly("a");
            assertThat(client.names("/clusters/two" + CONFIG_MAPS)).isEmpty();
            assertThat(sim.kubeconfig()).contains("name: two", sim.baseUrl("two"));
        }
    }

    @Test
    void givenOneSeedAndOneClock_whenTheSameIsDone_thenTheSameHistory() throws Exception {
        assertThat(history()).isEqualTo(history());
    }

    private static JsonNode history() throws IOException {
        try (KubeSim sim = KubeSim.builder()
                        .random(new SplittableRandom(7))
                        .clock(Clock.fixed(Instant.parse("2026-01-01T00:00:00Z"), ZoneOffset.UTC))
                        .start();
                SimClient client = SimClient.of(sim)) {
            return client.post(CONFIG_MAPS, configMap("a").replace("\"name\":\"a\"", "\"generateName\":\"a-\""));
        }
    }

    @Test
    void givenTheNeverReadyAnnotation_whenPodsRun_thenTheDeploymentStaysUnavailable() throws Exception {
        try (KubeSim sim = KubeSim.builder().simulateWorkloads(true).start();
                SimClient client = SimClient.of(sim)) {
            String never = ",\"annotations\":{\"evenkeel.io/never-ready\":\"true\"}";
            client.post("/apis/apps/v1/namespaces/default/deployments", DEPLOYMENT.replace("ANNOTATIONS", never));

            await().untilAsserted(() -> {
                JsonNode deployment = client.get("/apis/apps/v1/namespaces/default/deployments/web");
                assertThat(deployment.at("/status/unavailableReplicas").asInt(0))
                        .isEqualTo(2);
                assertThat(deployment.at("/status/readyReplicas").isMissingNode())
                        .isTrue();
            });
        }
    }

    @Test
    void givenSeveralWhoDeleteOneCollection_whenTheyMeet_thenNoneFails() throws Exception {
        try (KubeSim sim = KubeSim.builder().start();
                SimClient client = SimClient.of(sim);
                ExecutorService threads = Executors.newFixedThreadPool(4)) {
            for (int round = 0; round < 5; round++) {
                for (int i = 0; i < 60; i++) {
                    client.post(CONFIG_MAPS, configMap("m" + i));
                }
                List<Future<JsonNode>> answers = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    answers.add(threads.submit(() -> client.delete(CONFIG_MAPS)));
                }
                for (Future<JsonNode> answer : answers) {
                    assertThat(Json.text(answer.get(), "kind")).isEqualTo("ConfigMapList");
                }
                assertThat(client.names(CONFIG_MAPS)).isEmpty();
            }
        }
    }
}
