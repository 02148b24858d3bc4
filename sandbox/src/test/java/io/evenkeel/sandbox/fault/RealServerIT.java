package io.evenkeel.sandbox.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkeel.api.json.Json;
import io.evenkeel.sandbox.fault.rule.Fault;
import io.evenkeel.sandbox.fault.rule.Rule;
import io.evenkeel.sandbox.fault.rule.Verb;
import io.evenkeel.sandbox.fault.rule.WatchEnd;
import io.evenkeel.sandbox.fault.upstream.Kubeconfig;
import io.evenkeel.sandbox.real.RealKubeApi;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

@EnabledIf("io.evenkeel.sandbox.real.RealKubeApi#available")
class RealServerIT {
    private static RealKubeApi api;

    @TempDir
    private Path folder;

    private FaultProxy proxy;
    private PlainClient client;
    private Path direct;
    private Path through;

    @BeforeAll
    static void startServer() {
        api = RealKubeApi.builder().build().start();
    }

    @AfterAll
    static void stopServer() {
        api.close();
    }

    @BeforeEach
    void startProxy() throws IOException {
        direct = Files.writeString(folder.resolve("direct"), api.kubeconfig());
        Kubeconfig config = Kubeconfig.read(direct);
        String context = config.currentContext();
        proxy = FaultProxy.before(config.upstream(context)).start();
        client = PlainClient.of(proxy, api.token());
        through = Files.writeString(
                folder.resolve("through"),
                config.through(Map.of(context, new Kubeconfig.Entrance(proxy.url(), proxy.certificatePem()))));
    }

    @AfterEach
    void stopProxy() {
        client.close();
        proxy.close();
    }

    @Test
    void givenNoRules_whenKubectlWorksThroughTheProxy_thenItSaysWhatItSaysWithoutIt() throws Exception {
        Path manifest = Files.writeString(folder.resolve("manifest.yaml"), """
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: by-kubectl, namespace: default}
            data: {colour: blue}
            """);
        assertThat(kubectl(through, "apply", "--server-side", "-f", manifest.toString()))
                .isEqualTo("configmap/by-kubectl serverside-applied\n");
        assertThat(kubectl(through, "patch", "configmap", "by-kubectl", "-p", "{\"data\":{\"colour\":\"red\"}}"))
                .isEqualTo("configmap/by-kubectl patched\n");
        assertThat(kubectl(through, "label", "configmap", "by-kubectl", "size=xl"))
                .isEqualTo("configmap/by-kubectl labeled\n");
        for (List<String> question : List.of(
                List.of("get", "configmap", "by-kubectl", "-o", "yaml"),
                List.of("get", "clusterroles", "-o", "name"),
                List.of("get", "configmaps", "-A", "-l", "size in (xl)", "-o", "name"),
                List.of("api-resources", "-o", "name"),
                List.of("get", "--raw", "/openapi/v3/apis/apps/v1"),
                List.of("get", "configmap", "missing", "--ignore-not-found"),
                List.of("version", "-o", "json"))) {
            assertThat(kubectl(through, question.toArray(String[]::new)))
                    .isEqualTo(kubectl(direct, question.toArray(String[]::new)));
        }
        assertThat(kubectl(through, "delete", "configmap", "by-kubectl"))
                .startsWith("configmap \"by-kubectl\" deleted");
    }

    private String kubectl(Path kubeconfig, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                RealKubeApi.assetsOrExplain().orElseThrow().program("kubectl").toString(),
                "--kubeconfig=" + kubeconfig,
                "--cache-dir=" + folder.resolve("cache")));
        command.addAll(Arrays.asList(arguments));
        Path output = Files.createTempFile(folder, "kubectl", ".out");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return Files.readString(output);
    }

    @Test
    void givenARuleThatExpiresWatches_whenARealWatchIsOpen_thenTheErrorFrameComesAfterItsFrames() throws Exception {
        proxy.add(Rule.named("expired").verbs(Verb.WATCH).nth(1).then(Fault.endAfter(2, WatchEnd.EXPIRED)));
        try (PlainClient.Watch watch = client.watch("/api/v1/namespaces?watch=true")) {
            await().untilAsserted(() -> assertThat(watch.end()).isEqualTo("closed"));
            assertThat(watch.lines()).hasSize(3);
            assertThat(watch.lines().get(2)).contains("\"code\":410");
        }
        assertThat(proxy.happened("expired")).isEqualTo(1);
    }

    @Test
    void givenALostAnswer_whenARealObjectIsCreated_thenItExistsAndASecondTryConflicts() throws Exception {
        proxy.add(Rule.named("lost").verbs(Verb.CREATE).nth(1).then(new Fault.LoseAnswer()));

        assertThatThrownBy(() -> client.send(create("lost"))).isInstanceOf(IOException.class);

        assertThat(client.send(create("lost")).statusCode()).isEqualTo(409);
        assertThat(proxy.counts()).containsEntry("lost", new RuleCount(2, 1, 1));
    }

    @Test
    void givenAStaleView_whenARealCollectionChanges_thenListsLagBehindUntilTheRuleIsGone() throws Exception {
        proxy.add(Rule.named("stale").resources("configmaps").from(2).then(new Fault.StaleView(1)));
        String collection = "/api/v1/namespaces/default/configmaps";
        JsonNode truth = Json.mapper().readTree(client.get(collection).body());

        assertThat(client.send(create("newest")).statusCode()).isEqualTo(201);

        JsonNode stale = Json.mapper().readTree(client.get(collection).body());
        assertThat(stale.path("items").size()).isEqualTo(truth.path("items").size());
        assertThat(stale.path("metadata").path("resourceVersion"))
                .isEqualTo(truth.path("metadata").path("resourceVersion"));
        proxy.remove("stale");
        assertThat(client.text(collection)).contains("\"newest\"");
        assertThat(proxy.happened("stale")).isEqualTo(1);
    }

    private HttpRequest.Builder create(String name) {
        String object = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"" + name + "\"}}";
        return client.request("/api/v1/namespaces/default/configmaps")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(object, StandardCharsets.UTF_8));
    }
}
