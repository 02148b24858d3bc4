package io.evenkeel.watcher;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.api.record.ChangeEvent;
import io.evenkeel.api.record.ShardState;
import io.evenkeel.api.topic.Topic;
import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.watcher.health.ShardStatus;
import java.time.Duration;
import java.util.Base64;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** What must neither stop a shard nor reach the log, on a real API server and a real broker. */
@EnabledIf("io.evenkeel.sandbox.real.RealKubeApi#available")
final class WatcherCasesIT {
    private static World world;
    private static KubeHttp kube;

    @BeforeAll
    static void start() {
        world = new World();
        kube = world.kube();
        kube.create("/api/v1/namespaces", "{\"metadata\":{\"name\":\"cases\"}}");
    }

    @AfterAll
    static void stop() {
        kube.close();
        world.close();
    }

    @Test
    void givenSecrets_whenWatched_thenNoTopicHoldsTheirPayload() {
        TopicLayout layout = world.layout();
        String canary = "canary-in-the-mine";
        String encoded = Base64.getEncoder().encodeToString(canary.getBytes(ISO_8859_1));
        String path = "/api/v1/namespaces/cases/secrets";
        String secret = "{\"metadata\":{\"name\":\"%s\",\"annotations\":"
                + "{\"kubectl.kubernetes.io/last-applied-configuration\":\"" + canary + "\"}},"
                + "\"data\":{\"password\":\"" + encoded + "\"}}";
        kube.create(path, secret.formatted("listed"));
        try (var started = world.start(layout, "secrets");
                var events = new EventLog(world.kafka.bootstrapServers(), layout, Topic.EVENTS);
                var objects = new EventLog(world.kafka.bootstrapServers(), layout, Topic.OBJECTS);
                var state = new EventLog(world.kafka.bootstrapServers(), layout, Topic.WATCH_STATE)) {
            patiently()
                    .untilAsserted(
                            () -> assertThat(started.watcher().notReady()).isEmpty());
            kube.create(path, secret.formatted("watched"));
            kube.merge(path + "/watched", "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
            kube.delete(path + "/watched");
            patiently()
                    .untilAsserted(
                            () -> assertThat(events.events(event -> event.name().equals("watched")))
                                    .hasSize(3));
            assertThat(events.events(event -> event.name().equals("watched")))
                    .element(1)
                    .satisfies(event -> assertThat(event.changed()).containsExactly("metadata.labels"));
            for (EventLog log : new EventLog[] {events, objects, state}) {
                assertThat(log.records())
                        .isNotEmpty()
                        .allSatisfy(record -> assertThat(
                                        record.value() == null ? "" : new String(record.value(), ISO_8859_1))
                                .doesNotContain(canary, encoded));
            }
        }
    }

    @Test
    void givenObjectOverTheLimit_whenWatched_thenItsEventGoesWithoutItAndTheShardGoesOn() {
        TopicLayout layout = world.layout();
        String path = "/api/v1/namespaces/cases/configmaps";
        try (var started = world.start(layout, "configmaps");
                var events = new EventLog(world.kafka.bootstrapServers(), layout, Topic.EVENTS)) {
            patiently()
                    .untilAsserted(
                            () -> assertThat(started.watcher().notReady()).isEmpty());
            String filling = "x".repeat(400_000);
            kube.create(path, "{\"metadata\":{\"name\":\"huge\"},\"data\":{\"k\":\"" + filling + "\"}}");
            kube.create(path, "{\"metadata\":{\"name\":\"small\"},\"data\":{\"k\":\"v\"}}");
            patiently()
                    .untilAsserted(() -> assertThat(
                                    events.events(event -> event.namespace().equals("cases")))
                            .extracting(ChangeEvent::name)
                            .contains("huge", "small"));
            assertThat(events.events(event -> event.name().equals("huge")))
                    .singleElement()
                    .satisfies(event -> {
                        assertThat(event.object()).isEmpty();
                        assertThat(event.objectOmitted().orElse("")).startsWith("too large (400");
                    });
        }
    }

    @Test
    void givenMissingPermission_whenItIsGrantedLater_thenTheShardSaysWhatIsMissingAndThenGoesLive() {
        TopicLayout layout = world.layout();
        String account = "/api/v1/namespaces/cases/serviceaccounts";
        kube.create(account, "{\"metadata\":{\"name\":\"watcher\"}}");
        String token = kube.create(account + "/watcher/token", "{\"spec\":{\"expirationSeconds\":3600}}")
                .path("status")
                .path("token")
                .asString();
        WatcherConfig config = world.config("forbidden", "configmaps");
        try (var started = world.start(layout, config, world.kubeconfigFor(token))) {
            patiently()
                    .untilAsserted(() -> assertThat(started.watcher().shards().values())
                            .extracting(ShardStatus::state)
                            .containsExactly(ShardState.FORBIDDEN));
            assertThat(started.watcher().notReady().orElse(""))
                    .contains("refuses list on configmaps (403)", "Grant list and watch");
            kube.create(
                    "/apis/rbac.authorization.k8s.io/v1/clusterroles",
                    "{\"metadata\":{\"name\":\"watcher\"},\"rules\":[{\"apiGroups\":[\"\"],"
                            + "\"resources\":[\"configmaps\"],\"verbs\":[\"list\",\"watch\"]}]}");
            kube.create(
                    "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
                    "{\"metadata\":{\"name\":\"watcher\"},\"roleRef\":{\"apiGroup\":\"rbac.authorization.k8s.io\","
                        + "\"kind\":\"ClusterRole\",\"name\":\"watcher\"},\"subjects\":[{\"kind\":\"ServiceAccount\","
                        + "\"name\":\"watcher\",\"namespace\":\"cases\"}]}");
            patiently()
                    .untilAsserted(
                            () -> assertThat(started.watcher().notReady()).isEmpty());
        }
    }

    @Test
    void givenResourceThatDoesNotExistYet_whenItsDefinitionComes_thenItsObjectsAreOnTheLog() {
        TopicLayout layout = world.layout();
        try (var started = world.start(layout, "gadgets.example.com");
                var events = new EventLog(world.kafka.bootstrapServers(), layout, Topic.EVENTS)) {
            patiently()
                    .untilAsserted(() -> assertThat(started.watcher().shards().values())
                            .extracting(ShardStatus::state)
                            .containsExactly(ShardState.GONE));
            assertThat(started.watcher().notReady()).isEmpty();
            kube.create(
                    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                    "{\"metadata\":{\"name\":\"gadgets.example.com\"},\"spec\":{\"group\":\"example.com\","
                            + "\"scope\":\"Namespaced\",\"names\":{\"plural\":\"gadgets\",\"kind\":\"Gadget\"},"
                            + "\"versions\":[{\"name\":\"v1\",\"served\":true,\"storage\":true,\"schema\":"
                            + "{\"openAPIV3Schema\":{\"type\":\"object\","
                            + "\"x-kubernetes-preserve-unknown-fields\":true}}}]}}");
            patiently()
                    .untilAsserted(() -> assertThat(started.watcher().shards().values())
                            .extracting(ShardStatus::state)
                            .containsExactly(ShardState.LIVE));
            kube.create(
                    "/apis/example.com/v1/namespaces/cases/gadgets",
                    "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Gadget\",\"metadata\":{\"name\":\"one\"}}");
            patiently()
                    .untilAsserted(() -> assertThat(events.events())
                            .extracting(EventLog::describe)
                            .singleElement()
                            .asString()
                            .startsWith("ADDED one"));
        }
    }

    private static ConditionFactory patiently() {
        return await().atMost(Duration.ofSeconds(30));
    }
}
