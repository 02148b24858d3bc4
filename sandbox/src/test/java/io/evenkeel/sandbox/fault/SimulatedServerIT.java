package io.evenkeel.sandbox.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkeel.api.json.Json;
import io.evenkeel.sandbox.fault.rule.Fault;
import io.evenkeel.sandbox.fault.rule.Rule;
import io.evenkeel.sandbox.fault.rule.RuleBook;
import io.evenkeel.sandbox.fault.rule.Verb;
import io.evenkeel.sandbox.fault.rule.WatchEnd;
import io.evenkeel.sandbox.fault.script.FaultScript;
import io.evenkeel.sandbox.fault.upstream.Kubeconfig;
import io.evenkeel.sandbox.kube.KubeSim;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The proxy before the simulated server, with TLS on both sides. */
class SimulatedServerIT {
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

    @TempDir
    private static Path folder;

    private static KubeSim sim;
    private static Kubeconfig config;
    private FaultProxy proxy;
    private PlainClient client;

    @BeforeAll
    static void startServer() throws IOException {
        sim = KubeSim.builder().clusters(List.of("one", "two")).start();
        config = Kubeconfig.read(Files.writeString(folder.resolve("kubeconfig"), sim.kubeconfig()));
    }

    @AfterAll
    static void stopServer() {
        sim.close();
    }

    @BeforeEach
    void startProxy() {
        proxy = FaultProxy.before(config.upstream("one")).start();
        client = PlainClient.of(proxy, sim.token());
    }

    @AfterEach
    void stopProxy() {
        client.close();
        proxy.close();
    }

    @Test
    void givenNoRules_whenObjectsAreWrittenAndWatched_thenAllPassesThrough() throws Exception {
        try (PlainClient.Watch watch = client.watch(CONFIG_MAPS + "?watch=1&fieldSelector=metadata.name=plain")) {
            assertThat(create("plain").statusCode()).isEqualTo(201);

            await().untilAsserted(() -> assertThat(watch.lines()).hasSize(1));
            assertThat(watch.lines().getFirst()).contains("\"ADDED\"").contains("\"plain\"");
        }
        assertThat(client.text("/readyz")).isEqualTo("ok");
    }

    @Test
    void givenAWatchThatEnds_whenItIsCutByTheRule_thenTheErrorFrameIsTheLast() throws Exception {
        proxy.add(Rule.named("expired").verbs(Verb.WATCH).nth(1).then(Fault.endAfter(2, WatchEnd.EXPIRED)));

        try (PlainClient.Watch watch = client.watch("/api/v1/namespaces?watch=1")) {
            await().untilAsserted(() -> assertThat(watch.end()).isEqualTo("closed"));
            assertThat(watch.lines()).hasSize(3);
            assertThat(watch.lines().getLast()).contains("\"code\":410");
        }
        assertThat(proxy.happened("expired")).isEqualTo(1);
    }

    @Test
    void givenATokenThatEnds_whenItIsSeenInAnOpenWatch_thenTheWatchEndsAndTheNextRequestsAre401() throws Exception {
        RuleBook book = FaultScript.read("f.yaml", """
            rules:
            - name: watch-ends
              when: {verb: watch}
              hit: {nth: 1}
              fault: {end-watch: {after-frames: 1, by: unauthorized}}
            - name: refused
              when: {verb: [list, watch]}
              hit: {from: 2, times: 2}
              fault: {answer: {status: 401}}
            """);
        try (FaultProxy strict =
                        FaultProxy.before(config.upstream("one")).book(book).start();
                PlainClient robot = PlainClient.of(strict, sim.token())) {
            try (PlainClient.Watch watch = robot.watch("/api/v1/namespaces?watch=1")) {
                await().untilAsserted(() -> assertThat(watch.end()).isEqualTo("closed"));
                assertThat(watch.lines()).hasSize(2);
                assertThat(watch.lines().getLast()).contains("\"ERROR\"", "\"reason\":\"Unauthorized\"");
            }
            assertThat(codes(robot)).containsExactly(401, 401, 200, 200);
            assertThat(strict.happened("watch-ends")).isEqualTo(1);
            assertThat(strict.happened("refused")).isEqualTo(2);
        }
    }

    @Test
    void givenALostAnswer_whenAnObjectIsCreated_thenItExistsAndASecondTryConflicts() throws Exception {
        proxy.add(Rule.named("lost").verbs(Verb.CREATE).nth(1).then(new Fault.LoseAnswer()));

        assertThatThrownBy(() -> create("lost")).isInstanceOf(IOException.class);

        assertThat(create("lost").statusCode()).isEqualTo(409);
        assertThat(proxy.counts()).containsEntry("lost", new RuleCount(2, 1, 1));
    }

    @Test
    void givenAStaleView_whenTheCollectionChanges_thenListsLagBehindUntilTheRuleIsGone() throws Exception {
        proxy.add(Rule.named("stale").resources("configmaps").from(2).then(new Fault.StaleView(1)));
        JsonNode truth = Json.mapper().readTree(client.get(CONFIG_MAPS).body());

        create("newest");

        JsonNode stale = Json.mapper().readTree(client.get(CONFIG_MAPS).body());
        assertThat(stale.at("/metadata/resourceVersion")).isEqualTo(truth.at("/metadata/resourceVersion"));
        proxy.remove("stale");
        assertThat(client.text(CONFIG_MAPS)).contains("\"newest\"");
    }

    @Test
    void givenAScriptForOneCluster_whenBothAreAsked_thenOnlyThatOneMisbehaves() throws Exception {
        RuleBook book = FaultScript.read("f.yaml", """
            seed: 5
            rules:
            - name: busy
              when: {verb: list, cluster: two}
              hit: {every: 2}
              fault: {answer: {status: 429, retry-after: 3s}}
            """);
        try (FaultProxy one =
                        FaultProxy.before(config.upstream("one")).book(book).start();
                FaultProxy two =
                        FaultProxy.before(config.upstream("two")).book(book).start();
                PlainClient toOne = PlainClient.of(one, sim.token());
                PlainClient toTwo = PlainClient.of(two, sim.token())) {
            assertThat(codes(toOne)).containsExactly(200, 200, 200, 200);
            assertThat(codes(toTwo)).containsExactly(429, 200, 429, 200);
            assertThat(one.counts()).containsEntry("busy", new RuleCount(0, 0, 0));
            assertThat(two.counts()).containsEntry("busy", new RuleCount(4, 2, 2));
        }
    }

    private static List<Integer> codes(PlainClient client) throws IOException, InterruptedException {
        return List.of(
                client.get(CONFIG_MAPS).statusCode(),
                client.get(CONFIG_MAPS).statusCode(),
                client.get(CONFIG_MAPS).statusCode(),
                client.get(CONFIG_MAPS).statusCode());
    }

    private HttpResponse<byte[]> create(String name) throws IOException, InterruptedException {
        String object = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"" + name + "\"}}";
        return client.send(client.request(CONFIG_MAPS)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(object, StandardCharsets.UTF_8)));
    }
}
