package io.evenkeel.watcher;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.api.record.ChangeEvent;
import io.evenkeel.api.record.ChangeType;
import io.evenkeel.api.record.ShardState;
import io.evenkeel.api.topic.Topic;
import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.runtime.cluster.ClusterChoice;
import io.evenkeel.runtime.cluster.ClusterSettings;
import io.evenkeel.sandbox.fault.FaultProxy;
import io.evenkeel.sandbox.fault.rule.Darkness;
import io.evenkeel.sandbox.fault.upstream.Kubeconfig;
import io.evenkeel.sandbox.fleet.Fleet;
import io.evenkeel.sandbox.fleet.FleetPlan;
import io.evenkeel.sandbox.kube.KubeSim;
import io.evenkeel.watcher.health.ShardStatus;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One watcher of a folder of twenty clusters; each test plays with clusters of its own while the others go on. */
final class ManyClustersIT {
    private static final String[] RESOURCES = {"configmaps", "services", "deployments.apps"};
    private static final Duration REFRESH = Duration.ofMillis(100);
    private static final String BYSTANDER = "sim-19";

    @TempDir
    private static Path clusters;

    @TempDir
    private static Path scratch;

    private static LogWorld world;
    private static Fleet fleet;
    private static TopicLayout layout;
    private static LogWorld.Started started;
    private static EventLog events;
    private static KubeHttp kube;

    @BeforeAll
    static void start() throws IOException {
        world = new LogWorld();
        fleet = Fleet.start(new FleetPlan(20, 2_000, 0, 1), 0, 2_000, Clock.systemUTC(), complete -> {});
        kube = new KubeHttp(fleet.sim().baseUrl(), fleet.sim().token());
        layout = world.layout();
        events = new EventLog(world.kafka.bootstrapServers(), layout, Topic.EVENTS);
        for (String name : fleet.plan().names()) {
            define(name, fleet.sim().kubeconfig(name));
        }
        started = world.start(layout, world.config("many", RESOURCES), new ClusterChoice.Folder(clusters, REFRESH));
        patiently()
                .untilAsserted(() -> assertThat(started.watcher().shards())
                        .hasSize(60)
                        .allSatisfy(
                                (shard, status) -> assertThat(status.state()).isEqualTo(ShardState.LIVE)));
        assertThat(started.watcher().notReady()).isEmpty();
    }

    @AfterAll
    static void stop() {
        started.close();
        events.close();
        kube.close();
        fleet.close();
        world.close();
    }

    @Test
    void givenAClusterIsRemoved_whenItReturns_thenNothingWasDeletedAndItResumesWithoutList() {
        String name = "sim-00";
        create(name, "before");
        awaitEvents(name, "ADDED before");
        assertThat(meters(name)).contains("evenkeel.watcher.events", "evenkeel.watcher.api.requests");
        undefine(name);
        patiently().untilAsserted(() -> assertThat(states(name)).isEmpty());
        patiently().untilAsserted(() -> assertThat(meters(name)).isEmpty());
        create(name, "meanwhile");
        create(BYSTANDER, "beside-a-removal");
        awaitEvents(BYSTANDER, "ADDED beside-a-removal");
        assertThat(described(name)).doesNotContain("ADDED meanwhile");

        define(name, fleet.sim().kubeconfig(name));
        awaitEvents(name, "ADDED before", "ADDED meanwhile");
        assertThat(states(name)).containsOnly(ShardState.LIVE);
        assertThat(requests(name, "watch")).isPositive();
        assertThat(requests(name, "list")).isZero();
        assertThat(events.events(of(name))).extracting(ChangeEvent::type).doesNotContain(ChangeType.DELETED);
        assertThatLogIsExact(name);
    }

    @Test
    void givenAClusterMoves_whenItsDefinitionSaysSo_thenItGoesOnAtTheNewAddressWithoutList() throws IOException {
        String name = "sim-01";
        create(name, "at-the-old-address");
        awaitEvents(name, "ADDED at-the-old-address");
        double lists = requests(name, "list");
        try (FaultProxy proxy = proxy(name)) {
            define(name, through(name, proxy));
            patiently().untilAsserted(() -> assertThat(proxy.connections()).isPositive());
            create(name, "at-the-new-address");
            awaitEvents(name, "ADDED at-the-old-address", "ADDED at-the-new-address");
            define(name, fleet.sim().kubeconfig(name));
            create(name, "back-again");
            awaitEvents(name, "ADDED back-again");
        }
        assertThat(requests(name, "list")).isEqualTo(lists);
        assertThatLogIsExact(name);
    }

    @Test
    void givenADefinitionGoesBad_whenWatched_thenItsLastGoodVersionStaysAndSoDoTheOthers() {
        String name = "sim-02";
        define(name, "this: is: no: yaml");
        define("Not_An_Id", fleet.sim().kubeconfig("sim-03"));
        create(name, "with-a-bad-definition");
        create(BYSTANDER, "beside-a-bad-definition");
        awaitEvents(name, "ADDED with-a-bad-definition");
        awaitEvents(BYSTANDER, "ADDED beside-a-bad-definition");
        undefine("Not_An_Id");
        define(name, fleet.sim().kubeconfig(name));
        assertThatLogIsExact(name);
    }

    @Test
    void givenAClusterHangsOrRefuses_whenItComesBack_thenTheOthersWentOnAndNothingIsMissing() throws IOException {
        String name = "sim-04";
        try (FaultProxy proxy = proxy(name)) {
            define(name, through(name, proxy));
            patiently().untilAsserted(() -> assertThat(proxy.connections()).isPositive());
            patiently().untilAsserted(() -> assertThat(states(name)).containsOnly(ShardState.LIVE));
            double lists = requests(name, "list");
            for (Darkness darkness : Darkness.values()) {
                proxy.blackout(darkness);
                create(name, "while-" + word(darkness));
                create(BYSTANDER, "beside-" + word(darkness));
                awaitEvents(BYSTANDER, "ADDED beside-" + word(darkness));
                assertThat(described(name)).doesNotContain("ADDED while-" + word(darkness));
                if (darkness == Darkness.REFUSED) {
                    patiently().untilAsserted(() -> assertThat(states(name)).containsOnly(ShardState.UNREACHABLE));
                    assertThat(started.watcher().notReady()).isEmpty();
                }
                proxy.restore();
                awaitEvents(name, "ADDED while-" + word(darkness));
            }
            assertThat(requests(name, "list")).isEqualTo(lists);
            assertThatLogIsExact(name);
            define(name, fleet.sim().kubeconfig(name));
        }
    }

    @Test
    void givenChosenContextsOfAKubeconfig_whenOneIsAddedChangedAndRemoved_thenItsClusterIsFollowedAsTheFileSays()
            throws IOException {
        TopicLayout own = world.layout();
        Path kubeconfig = Files.writeString(scratch.resolve("contexts"), contexts(Map.of("sim-09", "sim-09")));
        var chosen = List.of(
                new ClusterChoice.ChosenContext("first", "sim-09"),
                new ClusterChoice.ChosenContext("second", "sim-10"));
        try (var following = world.start(
                        own,
                        world.config("contexts", "configmaps"),
                        new ClusterChoice.Contexts(kubeconfig, chosen, REFRESH));
                var log = new EventLog(world.kafka.bootstrapServers(), own, Topic.EVENTS)) {
            awaitStates(following, "first", ShardState.LIVE);
            awaitStates(following, "second");

            // The third is not chosen.
            Files.writeString(kubeconfig, contexts(Map.of("sim-09", "sim-09", "sim-10", "sim-10", "sim-11", "sim-11")));
            awaitStates(following, "second", ShardState.LIVE);
            assertThat(following.watcher().shards()).hasSize(2);

            Files.writeString(kubeconfig, contexts(Map.of("sim-09", "sim-09", "sim-10", "sim-11")));
            create("sim-11", "under-another-address");
            patiently()
                    .untilAsserted(() -> assertThat(log.events(of("second")))
                            .extracting(ChangeEvent::name)
                            .contains("under-another-address"));

            Files.writeString(kubeconfig, contexts(Map.of("sim-10", "sim-11")));
            awaitStates(following, "first");
            awaitStates(following, "second", ShardState.LIVE);
            assertThat(log.events(of("first"))).extracting(ChangeEvent::type).doesNotContain(ChangeType.DELETED);
        }
    }

    /** A kubeconfig of these contexts, each with the cluster that it leads to. */
    private static String contexts(Map<String, String> clusters) {
        var clusterEntries = new StringBuilder();
        var contextEntries = new StringBuilder();
        clusters.forEach((context, cluster) -> {
            clusterEntries.append("""
                - name: %s
                  cluster: {server: "%s", certificate-authority-data: "%s"}
                """.formatted(context, fleet.sim().baseUrl(cluster), authority()));
            contextEntries.append("""
                - name: %1$s
                  context: {cluster: %1$s, user: watcher}
                """.formatted(context));
        });
        return """
            apiVersion: v1
            kind: Config
            users:
            - name: watcher
              user: {token: "%s"}
            """.formatted(fleet.sim().token()) + "clusters:\n" + clusterEntries + "contexts:\n" + contextEntries;
    }

    private static String authority() {
        return Base64.getEncoder()
                .encodeToString(fleet.sim().certificateAuthority().getBytes(UTF_8));
    }

    @Test
    void givenSecretsInAHub_whenOneIsAddedChangedAndRemoved_thenItsClusterIsFollowedAsTheySay() throws IOException {
        TopicLayout own = world.layout();
        try (KubeSim hub = KubeSim.builder().start();
                var hubKube = new KubeHttp(hub.baseUrl(), hub.token());
                var log = new EventLog(world.kafka.bootstrapServers(), own, Topic.EVENTS)) {
            String secrets = "/api/v1/namespaces/default/secrets";
            hubKube.create(secrets, secret("first", "sim-05", "wrong-token", "true"));
            hubKube.create(secrets, secret("second", "sim-06", fleet.sim().token(), "true"));
            hubKube.create(secrets, secret("not-meant", "sim-07", fleet.sim().token(), "false"));
            var settings = new ClusterSettings("hub", Optional.of(world.write(hub.kubeconfig())), Optional.empty());
            try (var watcher = world.start(
                    own,
                    world.config("hub", "configmaps -l from=the-test"),
                    new ClusterChoice.Secrets(settings, "default", REFRESH))) {
                patiently()
                        .untilAsserted(() -> assertThat(watcher.watcher().shards())
                                .hasSize(2)
                                .extractingFromEntries(entry -> entry.getKey().cluster() + " "
                                        + entry.getValue().state())
                                .containsExactlyInAnyOrder("sim-05 FORBIDDEN", "sim-06 LIVE"));
                assertThat(watcher.watcher().notReady()).isEmpty();

                hubKube.send(
                        "PUT",
                        secrets + "/first",
                        "application/json",
                        secret("first", "sim-05", fleet.sim().token(), "true"),
                        200);
                hubKube.delete(secrets + "/second");
                patiently()
                        .untilAsserted(() -> assertThat(watcher.watcher().shards())
                                .hasSize(1)
                                .allSatisfy((shard, status) -> {
                                    assertThat(shard.cluster()).isEqualTo("sim-05");
                                    assertThat(status.state()).isEqualTo(ShardState.LIVE);
                                }));
                create("sim-05", "seen");
                create("sim-06", "not-seen");
                patiently()
                        .untilAsserted(() -> assertThat(log.events())
                                .extracting(ChangeEvent::cluster, ChangeEvent::name)
                                .containsExactly(org.assertj.core.groups.Tuple.tuple("sim-05", "seen")));
            }
        }
    }

    /** As on a real server, a watch that is open outlives its token; the next one needs another. */
    @Test
    void givenATokenExpires_whenItsFileIsExchanged_thenTheShardWaitsAndGoesOnWithoutList() throws Exception {
        TopicLayout own = world.layout();
        try (var cluster = new SimCluster(KubeSim.builder());
                var history = new ServerHistory(cluster.kube, SimCluster.CONFIG_MAPS);
                var log = new EventLog(world.kafka.bootstrapServers(), own, Topic.EVENTS)) {
            Path token = Files.writeString(scratch.resolve("token"), "first");
            cluster.sim.access().grantAll("first", "watcher");
            Path kubeconfig = world.write(cluster.kubeconfig().replaceAll("token: .*", "tokenFile: \"" + token + "\""));
            try (var started = world.start(own, world.config("token", "configmaps"), kubeconfig)) {
                awaitStates(started, ShardState.LIVE);
                cluster.create("before");
                cluster.sim.access().revoke("first");
                cluster.create("while-open");
                awaitHistory(history, log);

                Files.writeString(token, "wrong");
                cluster.proxy.blackout(Darkness.REFUSED);
                cluster.proxy.restore();
                awaitStates(started, ShardState.FORBIDDEN);
                assertThat(started.watcher().notReady().orElse("")).contains("(401)");
                cluster.create("while-refused");

                cluster.sim.access().grantAll("second", "watcher");
                Files.writeString(token, "second");
                awaitStates(started, ShardState.LIVE);
                cluster.create("afterwards");
                awaitHistory(history, log);
                assertThat(history.changes()).hasSize(4);
                assertThat(started.requests("list")).isEqualTo(1);
                assertThat(log.gaps()).isEmpty();
            }
        }
    }

    /** The one cluster of a process: its kubeconfig is looked at again because the server is no longer trusted. */
    @Test
    void givenAServerGetsAnotherAuthority_whenTheKubeconfigFollows_thenTheShardGoesOnWithoutList() throws Exception {
        TopicLayout own = world.layout();
        Path data = scratch.resolve("authority");
        try (var log = new EventLog(world.kafka.bootstrapServers(), own, Topic.EVENTS)) {
            LogWorld.Started started;
            Path kubeconfig;
            int port;
            try (KubeSim sim = KubeSim.builder().dataFolder(data).start();
                    var kube = new KubeHttp(sim.baseUrl(), sim.token())) {
                port = sim.port();
                kubeconfig = world.write(sim.kubeconfig());
                started = world.start(own, world.config("authority", "configmaps"), kubeconfig);
                awaitStates(started, ShardState.LIVE);
                kube.create(SimCluster.CONFIG_MAPS, "{\"metadata\":{\"name\":\"before\"}}");
                patiently().untilAsserted(() -> assertThat(log.events()).hasSize(1));
            }
            Files.delete(data.resolve("tls.p12"));
            try (KubeSim sim = KubeSim.builder().dataFolder(data).port(port).start();
                    var kube = new KubeHttp(sim.baseUrl(), sim.token());
                    started) {
                kube.create(SimCluster.CONFIG_MAPS, "{\"metadata\":{\"name\":\"while-not-trusted\"}}");
                patiently()
                        .untilAsserted(
                                () -> assertThat(started.watcher().notReady().orElse(""))
                                        .contains("PKIX"));
                Files.writeString(kubeconfig, sim.kubeconfig());
                awaitStates(started, ShardState.LIVE);
                kube.create(SimCluster.CONFIG_MAPS, "{\"metadata\":{\"name\":\"afterwards\"}}");
                patiently()
                        .untilAsserted(() -> assertThat(log.events())
                                .extracting(ChangeEvent::name)
                                .containsExactlyInAnyOrder("before", "while-not-trusted", "afterwards"));
                assertThat(started.requests("list")).isEqualTo(1);
                assertThat(log.gaps()).isEmpty();
            }
        }
    }

    private static void awaitStates(LogWorld.Started started, String cluster, ShardState... states) {
        patiently()
                .untilAsserted(() -> assertThat(started.watcher().shards().entrySet().stream()
                                .filter(shard -> shard.getKey().cluster().equals(cluster))
                                .map(shard -> shard.getValue().state()))
                        .containsExactly(states));
    }

    private static void awaitStates(LogWorld.Started started, ShardState... states) {
        patiently()
                .untilAsserted(() -> assertThat(started.watcher().shards().values())
                        .extracting(ShardStatus::state)
                        .containsExactly(states));
    }

    private static void awaitHistory(ServerHistory history, EventLog log) {
        patiently()
                .untilAsserted(() -> ServerHistory.assertSame(
                        history.changes(),
                        log.events(event -> event.namespace().equals("default")).stream()
                                .map(EventLog::describe)
                                .toList()));
    }

    private static String secret(String name, String cluster, String token, String label) {
        String config = "{\"bearerToken\":\"" + token + "\",\"tlsClientConfig\":{\"caData\":\"" + authority() + "\"}}";
        return "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"" + name
                + "\",\"labels\":{\"evenkeel.io/cluster\":\"" + label + "\"}},\"stringData\":{\"name\":\"" + cluster
                + "\",\"server\":\"" + fleet.sim().baseUrl(cluster) + "\",\"config\":"
                + io.evenkeel.api.json.Json.mapper().writeValueAsString(config) + "}}";
    }

    private static FaultProxy proxy(String name) throws IOException {
        Path direct =
                Files.writeString(scratch.resolve("direct-" + name), fleet.sim().kubeconfig(name));
        return FaultProxy.before(Kubeconfig.read(direct).upstream(name)).start();
    }

    private static String through(String name, FaultProxy proxy) {
        return Kubeconfig.read(scratch.resolve("direct-" + name))
                .through(Map.of(name, new Kubeconfig.Entrance(proxy.url(), proxy.certificatePem())));
    }

    /** As a mounted Secret does it: at once. */
    private static void define(String name, String kubeconfig) {
        try {
            Path written = Files.writeString(scratch.resolve("new-" + name), kubeconfig);
            Files.move(written, clusters.resolve(name + ".yaml"), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void undefine(String name) {
        try {
            Files.delete(clusters.resolve(name + ".yaml"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void create(String cluster, String name) {
        kube.create(
                "/clusters/" + cluster + "/api/v1/namespaces/default/configmaps",
                "{\"metadata\":{\"name\":\"" + name + "\",\"labels\":{\"from\":\"the-test\"}},\"data\":{\"k\":\"v\"}}");
    }

    private static Predicate<ChangeEvent> of(String cluster) {
        return event -> event.cluster().equals(cluster);
    }

    private static List<String> described(String cluster) {
        return events.events(of(cluster)).stream()
                .map(event -> event.type() + " " + event.name())
                .toList();
    }

    private static void awaitEvents(String cluster, String... expected) {
        patiently().untilAsserted(() -> assertThat(described(cluster)).contains(expected));
    }

    private static List<ShardState> states(String cluster) {
        return started.watcher().shards().entrySet().stream()
                .filter(shard -> shard.getKey().cluster().equals(cluster))
                .map(Map.Entry::getValue)
                .map(ShardStatus::state)
                .toList();
    }

    private static Set<String> meters(String cluster) {
        return started.registry().getMeters().stream()
                .map(Meter::getId)
                .filter(id -> cluster.equals(id.getTag("cluster")))
                .map(Meter.Id::getName)
                .collect(Collectors.toSet());
    }

    private static double requests(String cluster, String verb) {
        Counter counter = started.registry()
                .find("evenkeel.watcher.api.requests")
                .tag("cluster", cluster)
                .tag("verb", verb)
                .counter();
        return counter == null ? 0 : counter.count();
    }

    private static void assertThatLogIsExact(String cluster) {
        assertThat(events.events(of(cluster))).extracting(ChangeEvent::id).doesNotHaveDuplicates();
        assertThat(events.gaps()).noneMatch(gap -> gap.cluster().equals(cluster));
    }

    private static String word(Darkness darkness) {
        return darkness.name().toLowerCase(java.util.Locale.ROOT);
    }

    private static ConditionFactory patiently() {
        return await().atMost(Duration.ofSeconds(60));
    }
}
