package io.evenkeel.watcher;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.api.ShardKey;
import io.evenkeel.api.record.ChangeEvent;
import io.evenkeel.api.record.ChangeType;
import io.evenkeel.api.record.ObjectHeaders;
import io.evenkeel.api.record.Origin;
import io.evenkeel.api.record.Selection;
import io.evenkeel.api.record.ShardState;
import io.evenkeel.api.topic.Topic;
import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.watcher.health.ShardStatus;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** What must neither stop a shard nor reach the log, on a real API server and a real broker. */
@EnabledIf("io.evenkeel.sandbox.real.RealKubeApi#available")
final class WatcherCasesIT {
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
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

    @Test
    void givenASelector_whenObjectsComeInAndLeave_thenTheirEventsSaySo() {
        TopicLayout layout = world.layout();
        String path = "/api/v1/namespaces/cases/configmaps";
        var selection = new Selection(Optional.of("app=web"), Optional.of("cases"));
        kube.create(path, labelled("selected", "web"));
        kube.create(path, labelled("never-selected", "db"));
        try (var started = world.start(layout, "configmaps -n cases -l app=web");
                var events = new EventLog(world.kafka.bootstrapServers(), layout, Topic.EVENTS);
                var objects = new EventLog(world.kafka.bootstrapServers(), layout, Topic.OBJECTS)) {
            ready(started);
            kube.merge(path + "/selected", "{\"metadata\":{\"labels\":{\"app\":\"db\"}}}");
            kube.merge(path + "/selected", "{\"metadata\":{\"labels\":{\"app\":\"web\"}}}");
            kube.delete(path + "/selected");
            patiently()
                    .untilAsserted(() -> assertThat(events.events())
                            .extracting(event -> event.type() + " " + event.name())
                            .containsExactly(
                                    "ADDED selected", "DELETED selected", "ADDED selected", "DELETED selected"));
            assertThat(events.events())
                    .allSatisfy(event -> assertThat(event.selection()).contains(selection));
            assertThat(objects.records())
                    .hasSize(4)
                    .allSatisfy(record -> assertThat(
                                    ObjectHeaders.from(record.headers()).selection())
                            .contains(selection));
        } finally {
            kube.delete(path + "/never-selected");
        }
    }

    @Test
    void givenAnotherSelection_whenStartedAgain_thenWhatLeftIsNotTakenForDeleted() {
        TopicLayout layout = world.layout();
        String path = "/api/v1/namespaces/cases/configmaps";
        kube.create(path, labelled("web", "web"));
        kube.create(path, labelled("db", "db"));
        try (var events = new EventLog(world.kafka.bootstrapServers(), layout, Topic.EVENTS)) {
            try (var started = world.start(layout, "configmaps -n cases -l app in (web,db)")) {
                ready(started);
            }
            try (var started = world.start(layout, "configmaps -n cases -l app=web")) {
                ready(started);
            }
            patiently().untilAsserted(() -> assertThat(events.events()).hasSize(3));
            assertThat(events.events().getLast()).satisfies(event -> {
                assertThat(event.type() + " " + event.name()).isEqualTo("DELETED db");
                assertThat(event.origin()).isEqualTo(Origin.RELIST);
                assertThat(event.finalStateKnown()).isFalse();
                assertThat(event.selection().orElseThrow().provesDeletion("cases"))
                        .isFalse();
            });
            assertThat(events.gaps()).singleElement().satisfies(gap -> {
                assertThat(gap.reason())
                        .isEqualTo("selection changed from -n cases -l app in (web,db) to -n cases -l app=web");
                assertThat(gap.selection()).isPresent();
            });

            kube.delete(path + "/web");
            try (var started = world.start(layout, "configmaps -n cases")) {
                ready(started);
                patiently().untilAsserted(() -> assertThat(events.gaps()).hasSize(2));
                assertThat(events.events(event -> event.name().equals("web")).getLast())
                        .satisfies(event -> {
                            assertThat(event.type()).isEqualTo(ChangeType.DELETED);
                            assertThat(event.selection().orElseThrow().provesDeletion("cases"))
                                    .isTrue();
                        });
                assertThat(events.events(event -> event.name().equals("db")).getLast())
                        .satisfies(event -> {
                            assertThat(event.type()).isEqualTo(ChangeType.ADDED);
                            assertThat(event.origin()).isEqualTo(Origin.RELIST);
                        });
                assertThat(events.events(event -> event.name().equals("kube-root-ca.crt")))
                        .hasSizeLessThanOrEqualTo(1);
            }
            try (var started = world.start(layout, "configmaps -n cases")) {
                ready(started);
                assertThat(started.requests("list")).isZero();
            }
        } finally {
            kube.delete(path + "/db");
        }
    }

    @Test
    void givenEverything_whenDefinitionsComeAndGo_thenTheirObjectsAreFollowed() {
        TopicLayout layout = world.layout();
        try (var started = world.start(layout, "* -n cases");
                var events = new EventLog(world.kafka.bootstrapServers(), layout, Topic.EVENTS)) {
            ready(started);
            assertThat(resources(started))
                    .contains("configmaps", "deployments", "roles")
                    .doesNotContain("secrets", "events", "leases", "endpointslices", "nodes", "bindings");
            define("Namespaced", "trinkets", "Trinket");
            patiently()
                    .untilAsserted(() -> assertThat(states(started, "trinkets")).containsExactly(ShardState.LIVE));
            create("/apis/example.com/v1/namespaces/cases/trinkets", "Trinket", "one");
            patiently().untilAsserted(() -> assertThat(trinkets(events)).containsExactly("ADDED cases/one"));

            undefine("trinkets");
            patiently()
                    .untilAsserted(
                            () -> assertThat(trinkets(events)).containsExactly("ADDED cases/one", "DELETED cases/one"));
            patiently()
                    .untilAsserted(() -> assertThat(states(started, "trinkets")).containsExactly(ShardState.GONE));
            define("Namespaced", "trinkets", "Trinket");
            patiently()
                    .untilAsserted(() -> assertThat(states(started, "trinkets")).containsExactly(ShardState.LIVE));
            create("/apis/example.com/v1/namespaces/cases/trinkets", "Trinket", "two");
            patiently()
                    .untilAsserted(() -> assertThat(trinkets(events)).hasSize(3).endsWith("ADDED cases/two"));
            assertThat(started.watcher().notReady()).isEmpty();
        } finally {
            forget("trinkets");
        }
    }

    /** Two of one kind: the second is there, but its names are not accepted and nothing is served of it. */
    @Test
    void givenADefinitionThatIsNotEstablished_whenItBecomesSo_thenItsResourceIsFollowedFromThenOn() {
        TopicLayout layout = world.layout();
        define("Namespaced", "charms", "Charm");
        try (var started = world.start(layout, "* -n cases", "talismans.example.com -n cases");
                var events = new EventLog(world.kafka.bootstrapServers(), layout, Topic.EVENTS)) {
            patiently()
                    .untilAsserted(() -> assertThat(states(started, "charms")).containsExactly(ShardState.LIVE));
            define("Namespaced", "talismans", "Charm");
            define("Namespaced", "amulets", "Charm");
            patiently().untilAsserted(() -> {
                assertThat(condition("talismans", "NamesAccepted")).isEqualTo("False");
                assertThat(condition("amulets", "NamesAccepted")).isEqualTo("False");
            });
            define("Namespaced", "later-ones", "LaterOne"); // behind them: who follows it has seen them too
            patiently()
                    .untilAsserted(
                            () -> assertThat(states(started, "later-ones")).containsExactly(ShardState.LIVE));
            assertThat(condition("talismans", "Established")).isEqualTo("False");
            assertThat(states(started, "talismans")).as("it is named").containsExactly(ShardState.GONE);
            assertThat(states(started, "amulets")).isEmpty();
            assertThat(started.watcher().notReady()).isEmpty();

            undefine("amulets");
            undefine("charms");
            patiently()
                    .untilAsserted(
                            () -> assertThat(states(started, "talismans")).containsExactly(ShardState.LIVE));
            create("/apis/example.com/v1/namespaces/cases/talismans", "Charm", "one");
            patiently().untilAsserted(() -> assertThat(keys(events)).contains("ADDED Charm cases/one"));
        } finally {
            List.of("talismans", "later-ones").forEach(WatcherCasesIT::undefine);
        }
    }

    @Test
    void givenADefinition_whenItIsReplacedByOneOfAnotherScopeAndKind_thenTheLogHoldsBothLives() {
        TopicLayout layout = world.layout();
        define("Namespaced", "widgets", "Widget");
        create("/apis/example.com/v1/namespaces/cases/widgets", "Widget", "one");
        try (var events = new EventLog(world.kafka.bootstrapServers(), layout, Topic.EVENTS)) {
            try (var started = world.start(layout, "widgets.example.com")) {
                ready(started);
                undefine("widgets");
                define("Cluster", "widgets", "Wheel");
                create("/apis/example.com/v1/widgets", "Wheel", "one");
                patiently()
                        .untilAsserted(() -> assertThat(keys(events))
                                .containsExactly(
                                        "ADDED Widget cases/one", "DELETED Widget cases/one", "ADDED Wheel one"));
            }
            undefine("widgets");
            define("Namespaced", "widgets", "Widget");
            create("/apis/example.com/v1/namespaces/cases/widgets", "Widget", "one");
            try (var started = world.start(layout, "widgets.example.com")) {
                ready(started);
                patiently().untilAsserted(() -> assertThat(keys(events)).hasSize(5));
                assertThat(keys(events).subList(3, 5))
                        .containsExactlyInAnyOrder("DELETED Wheel one", "ADDED Widget cases/one");
                create("/apis/example.com/v1/namespaces/cases/widgets", "Widget", "two");
                patiently().untilAsserted(() -> assertThat(keys(events)).endsWith("ADDED Widget cases/two"));
                assertThat(events.events()).extracting(ChangeEvent::id).doesNotHaveDuplicates();
            }
        } finally {
            forget("widgets");
        }
    }

    @Test
    void givenADefinition_whenItIsReplacedByOneOfAnotherSchema_thenTheLogHoldsBothLivesAsTheyWere() {
        TopicLayout layout = world.layout();
        String path = "/apis/example.com/v1/namespaces/cases/gears";
        define("Namespaced", "gears", "Gear");
        create(path, "Gear", "one", ",\"spec\":{\"teeth\":8,\"colour\":\"red\"}");
        try (var events = new EventLog(world.kafka.bootstrapServers(), layout, Topic.EVENTS)) {
            try (var started = world.start(layout, "gears.example.com")) {
                ready(started);
                undefine("gears");
                define(
                        "Namespaced",
                        "gears",
                        "Gear",
                        "\"properties\":{\"spec\":{\"type\":\"object\",\"properties\":{\"teeth\":{\"type\":\"integer\"}}}}");
                create(path, "Gear", "one", ",\"spec\":{\"teeth\":9,\"colour\":\"red\"}");
                create(path, "Gear", "two", ",\"spec\":{\"teeth\":10}");
                patiently()
                        .untilAsserted(() -> assertThat(specs(events, "one"))
                                .containsExactly(
                                        "ADDED {\"colour\":\"red\",\"teeth\":8}",
                                        "DELETED {\"colour\":\"red\",\"teeth\":8}",
                                        "ADDED {\"teeth\":9}"));
                patiently()
                        .untilAsserted(() -> assertThat(specs(events, "two")).containsExactly("ADDED {\"teeth\":10}"));
            }
            undefine("gears");
            define("Namespaced", "gears", "Gear");
            create(path, "Gear", "one", ",\"spec\":{\"colour\":\"blue\"}");
            try (var started = world.start(layout, "gears.example.com")) {
                ready(started);
                create(path, "Gear", "three", "");
                patiently()
                        .untilAsserted(() -> assertThat(specs(events, "three")).containsExactly("ADDED "));
                List<String> one = specs(events, "one");
                assertThat(one).hasSize(5).endsWith("ADDED {\"colour\":\"blue\"}");
                assertThat(one.get(3)).startsWith("DELETED");
                assertThat(specs(events, "two"))
                        .hasSize(2)
                        .element(1)
                        .asString()
                        .startsWith("DELETED");
                assertThat(events.events()).extracting(ChangeEvent::id).doesNotHaveDuplicates();
            }
        } finally {
            forget("gears");
        }
    }

    private static List<String> specs(EventLog events, String name) {
        return events.events(event -> event.name().equals(name)).stream()
                .map(event -> event.type() + " "
                        + event.object()
                                .map(object -> object.path("spec"))
                                .filter(spec -> !spec.isMissingNode())
                                .map(String::valueOf)
                                .orElse(""))
                .toList();
    }

    private static String labelled(String name, String app) {
        return "{\"metadata\":{\"name\":\"" + name + "\",\"labels\":{\"app\":\"" + app + "\"}}}";
    }

    private static void create(String path, String kind, String name) {
        create(path, kind, name, "");
    }

    private static void create(String path, String kind, String name, String fields) {
        // A definition that was just established is served a moment later.
        patiently()
                .ignoreException(AssertionError.class)
                .until(() -> kube.create(
                                path,
                                "{\"apiVersion\":\"example.com/v1\",\"kind\":\"" + kind + "\",\"metadata\":{\"name\":\""
                                        + name + "\"}" + fields + "}")
                        .isObject());
    }

    private static void define(String scope, String plural, String kind) {
        define(scope, plural, kind, "\"x-kubernetes-preserve-unknown-fields\":true");
    }

    private static void define(String scope, String plural, String kind, String schema) {
        kube.create(
                DEFINITIONS,
                "{\"metadata\":{\"name\":\"" + plural + ".example.com\"},\"spec\":{\"group\":\"example.com\","
                        + "\"scope\":\"" + scope + "\",\"names\":{\"plural\":\"" + plural + "\",\"kind\":\"" + kind
                        + "\"},\"versions\":[{\"name\":\"v1\",\"served\":true,\"storage\":true,\"schema\":"
                        + "{\"openAPIV3Schema\":{\"type\":\"object\"," + schema + "}}}]}}");
    }

    private static void forget(String plural) {
        if (isDefined(plural)) { // else what failed before would be hidden by what fails here
            undefine(plural);
        }
    }

    private static void undefine(String plural) {
        kube.delete(DEFINITIONS + "/" + plural + ".example.com");
        patiently().until(() -> !isDefined(plural));
    }

    private static boolean isDefined(String plural) {
        return kube.get(DEFINITIONS)
                .path("items")
                .valueStream()
                .anyMatch(definition ->
                        definition.path("metadata").path("name").asString("").equals(plural + ".example.com"));
    }

    private static String condition(String plural, String type) {
        return kube.get(DEFINITIONS + "/" + plural + ".example.com")
                .path("status")
                .path("conditions")
                .valueStream()
                .filter(condition -> condition.path("type").asString("").equals(type))
                .map(condition -> condition.path("status").asString(""))
                .findFirst()
                .orElse("");
    }

    private static List<String> resources(LogWorld.Started started) {
        return started.watcher().shards().keySet().stream()
                .map(ShardKey::resource)
                .toList();
    }

    private static List<ShardState> states(LogWorld.Started started, String resource) {
        return started.watcher().shards().entrySet().stream()
                .filter(shard -> shard.getKey().resource().equals(resource))
                .map(shard -> shard.getValue().state())
                .toList();
    }

    private static List<String> trinkets(EventLog events) {
        return events.events(event -> event.kind().equals("Trinket")).stream()
                .map(event -> event.type() + " " + event.key().subject())
                .toList();
    }

    private static List<String> keys(EventLog events) {
        return events.events().stream()
                .map(event ->
                        event.type() + " " + event.kind() + " " + event.key().subject())
                .toList();
    }

    private static void ready(LogWorld.Started started) {
        patiently().untilAsserted(() -> assertThat(started.watcher().notReady()).isEmpty());
    }

    private static ConditionFactory patiently() {
        return await().atMost(Duration.ofSeconds(30));
    }
}
