package io.evenkeel.sandbox.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.sandbox.TrustedCertificates;
import io.evenkeel.sandbox.kube.api.User;
import io.evenkeel.sandbox.kube.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What can be made to fail on purpose, and simulated time: nothing that a real server could be asked for. */
class KubeSimFaultsIT {
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String DEFINITION = """
        {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
         "metadata":{"name":"widgets.example.com"},"spec":{"group":"example.com","scope":"Namespaced",
         "names":{"plural":"widgets","kind":"Widget"},"versions":[{"name":"v1","served":true,"storage":true,
         "schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object",
          "properties":{"size":{"type":"integer"}},
          "x-kubernetes-validations":[{"rule":"self.size > 3"}]}}}}}]}}
        """;

    private static final AtomicReference<Instant> NOW = new AtomicReference<>(Instant.parse("2026-01-01T00:00:59Z"));
    private static KubeSim sim;
    private static HttpClient http;
    private static SimClient client;

    @BeforeAll
    static void start() throws IOException {
        InstantSource time = NOW::get;
        Clock clock = time.withZone(ZoneOffset.UTC);
        sim = KubeSim.builder().simulateWorkloads(true).clock(clock).start();
        client = SimClient.of(sim);
        http = HttpClient.newBuilder()
                .sslContext(TrustedCertificates.context(sim.certificateAuthority()))
                .build();
    }

    @AfterAll
    static void stop() {
        client.close();
        http.shutdownNow();
        sim.close();
    }

    private static HttpRequest request(String token, String path) {
        return HttpRequest.newBuilder(URI.create(sim.baseUrl() + path))
                .header("Authorization", "Bearer " + token)
                .build();
    }

    private static int code(String token, String path) throws IOException, InterruptedException {
        return http.send(request(token, path), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    @Test
    void givenATokenWithRules_whenItsHolderAsks_thenOnlyWhatTheyAllowIsAnswered() throws Exception {
        sim.access()
                .grant(
                        "reader",
                        "reader",
                        List.of(new User.Rule(Set.of("get", "list"), Set.of("configmaps"), Set.of("default"))));

        assertThat(code("reader", CONFIG_MAPS)).isEqualTo(200);
        assertThat(code("reader", CONFIG_MAPS + "?watch=1")).isEqualTo(403);
        assertThat(code("reader", "/api/v1/namespaces/kube-system/configmaps")).isEqualTo(403);
        assertThat(code("reader", "/api/v1/configmaps")).isEqualTo(403);
        assertThat(code("reader", "/api/v1/namespaces/default/secrets")).isEqualTo(403);
        assertThat(code("nobody", CONFIG_MAPS)).isEqualTo(401);
        assertThat(mayReader("list", "default")).isTrue();
        assertThat(mayReader("watch", "default")).isFalse();
        assertThat(mayReader("list", "kube-system")).isFalse();
    }

    private static boolean mayReader(String verb, String namespace) throws IOException, InterruptedException {
        String review = """
            {"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview","spec":{"resourceAttributes":
             {"verb":"%s","resource":"configmaps","namespace":"%s"}}}
            """.formatted(verb, namespace);
        HttpResponse<String> answer = http.send(
                HttpRequest.newBuilder(
                                URI.create(sim.baseUrl() + "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"))
                        .header("Authorization", "Bearer reader")
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(review))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        return Json.truth(Json.parse(answer.body()), "status", "allowed");
    }

    @Test
    void givenAnOpenWatch_whenItsTokenEnds_thenTheWatchGoesOnAndTheNextRequestIs401() throws Exception {
        sim.access().grantAll("short-lived", "somebody");
        HttpResponse<java.io.InputStream> watch = http.send(
                request("short-lived", CONFIG_MAPS + "?watch=1&fieldSelector=metadata.name=after-the-end"),
                HttpResponse.BodyHandlers.ofInputStream());
        assertThat(watch.statusCode()).isEqualTo(200);

        sim.access().revoke("short-lived");
        client.post(CONFIG_MAPS, configMap("after-the-end"));

        try (var lines = new BufferedReader(new InputStreamReader(watch.body(), StandardCharsets.UTF_8))) {
            assertThat(firstLine(lines)).contains("ADDED").contains("after-the-end");
        }
        assertThat(code("short-lived", CONFIG_MAPS)).isEqualTo(401);
        sim.access().grantAll("short-lived", "somebody");
        assertThat(code("short-lived", CONFIG_MAPS)).isEqualTo(200);
    }

    private static String firstLine(BufferedReader lines) throws InterruptedException {
        BlockingQueue<String> read = new LinkedBlockingQueue<>();
        Thread.ofVirtual().start(() -> {
            try {
                read.add(String.valueOf(lines.readLine()));
            } catch (IOException e) {
                read.add("failed: " + e);
            }
        });
        return String.valueOf(read.poll(20, TimeUnit.SECONDS));
    }

    @Test
    void givenReadsThatFail_whenTheResourceIsReadOrWatched_then500UntilTheyWorkAgain() throws Exception {
        client.post(CONFIG_MAPS, configMap("unreadable"));
        sim.failReads("configmaps", true);
        try {
            for (String path : List.of(CONFIG_MAPS, CONFIG_MAPS + "/unreadable", CONFIG_MAPS + "?watch=1")) {
                assertThat(code(sim.token(), path)).as(path).isEqualTo(500);
            }
            assertThat(Json.text(client.get(CONFIG_MAPS), "message")).contains("conversion webhook");
            assertThat(code(sim.token(), "/api/v1/namespaces/default/secrets")).isEqualTo(200);
        } finally {
            sim.failReads("configmaps", false);
        }
        assertThat(client.names(CONFIG_MAPS)).contains("unreadable");
    }

    @Test
    void givenADefinitionWithRulesAndAConversionWebhook_whenCreated_thenWarningsSayWhatIsNotDone() throws Exception {
        HttpResponse<String> created = http.send(
                HttpRequest.newBuilder(
                                URI.create(sim.baseUrl() + "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"))
                        .header("Authorization", "Bearer " + sim.token())
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(
                                DEFINITION.replace("\"scope\"", "\"conversion\":{\"strategy\":\"Webhook\"},\"scope\"")))
                        .build(),
                HttpResponse.BodyHandlers.ofString());

        assertThat(created.statusCode()).isEqualTo(201);
        assertThat(created.headers().allValues("Warning"))
                .satisfiesExactly(
                        warning -> assertThat(warning)
                                .startsWith("299 - ")
                                .contains("x-kubernetes-validations")
                                .contains("not evaluated"),
                        warning -> assertThat(warning).contains("conversion webhooks are not called"));
        assertThat(created.body()).contains("self.size > 3");
    }

    @Test
    void givenACronJob_whenItsTimeComes_thenItsJobRunsToItsEnd() {
        client.post("/apis/batch/v1/namespaces/default/cronjobs", """
            {"apiVersion":"batch/v1","kind":"CronJob","metadata":{"name":"every-minute"},"spec":{
             "schedule":"* * * * *","jobTemplate":{"spec":{"template":{"spec":{"restartPolicy":"Never",
             "containers":[{"name":"main","image":"busybox"}]}}}}}}
            """);
        assertThat(client.names("/apis/batch/v1/namespaces/default/jobs")).isEmpty();

        NOW.set(Instant.parse("2026-01-01T00:01:30Z"));
        await().untilAsserted(() -> {
            JsonNode job = client.get("/apis/batch/v1/namespaces/default/jobs").at("/items/0");
            assertThat(job.at("/metadata/ownerReferences/0/name").asString("")).isEqualTo("every-minute");
            assertThat(job.at("/status/succeeded").asInt(0)).isEqualTo(1);
            assertThat(Json.text(
                            client.get("/apis/batch/v1/namespaces/default/cronjobs/every-minute"),
                            "status",
                            "lastScheduleTime"))
                    .isEqualTo("2026-01-01T00:01:00Z");
        });
    }

    private static String configMap(String name) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"" + name + "\"}}";
    }
}
