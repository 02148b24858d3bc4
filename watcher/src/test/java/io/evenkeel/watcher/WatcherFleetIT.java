package io.evenkeel.watcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.api.Partitioner;
import io.evenkeel.api.ShardKey;
import io.evenkeel.api.record.ChangeEvent;
import io.evenkeel.api.record.Gap;
import io.evenkeel.api.record.ShardState;
import io.evenkeel.api.topic.Topic;
import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.runtime.cluster.ClusterChoice;
import io.evenkeel.sandbox.fault.rule.Fault;
import io.evenkeel.sandbox.fault.rule.Rule;
import io.evenkeel.sandbox.fault.rule.Verb;
import io.evenkeel.sandbox.kube.KubeSim;
import io.evenkeel.sandbox.process.ChildJvm;
import io.evenkeel.sandbox.process.ChildProcess;
import io.evenkeel.watcher.fold.Checkpoint;
import io.evenkeel.watcher.health.ShardStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Who follows a shard, and what becomes of the log when that changes: watchers join, leave, freeze and die, a broker of three
 * is lost, a partition cannot be written. One simulated API server is known under several ids, so that each is a cluster.
 */
final class WatcherFleetIT {
    static final String GROUP = "fleet";
    private static final int PARTITIONS = 4;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration REFRESH = Duration.ofSeconds(5);
    private static final LogWorld world = new LogWorld(3);

    // The same for all tests, as topics with three replicas take their time; each test has clusters of its own.
    private static final TopicLayout layout = world.layout(PARTITIONS);
    private static final EventLog log = new EventLog(world.kafka.bootstrapServers(), layout, Topic.EVENTS);
    private static final AtomicInteger ids = new AtomicInteger();

    @TempDir
    private Path folder;

    private final SimCluster cluster = new SimCluster(KubeSim.builder());
    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterAll
    static void stopKafka() {
        log.close();
        world.close();
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable open : opened.reversed()) {
            open.close();
        }
        cluster.close();
    }

    @Test
    void givenOneWatcher_whenThreeMoreJoinAndItLeaves_thenShardsMoveWithoutAListAndTheLogIsExact() throws Exception {
        var fleet = new Fleet();
        LogWorld.Started first = fleet.start();
        awaitLive(PARTITIONS, first);
        try (var user = new BusyUser(cluster)) {
            user.start();
            var later = new ArrayList<LogWorld.Started>();
            for (int i = 0; i < 3; i++) {
                later.add(fleet.start());
                awaitLive(1, later.getLast());
            }
            awaitLive(1, first);
            double lists = first.requests("list"); // its meters go with it
            first.close();
            awaitLive(PARTITIONS, later.toArray(LogWorld.Started[]::new));

            fleet.awaitExactLog(user);
            assertThat(lists).isEqualTo(PARTITIONS);
            assertThat(later).allSatisfy(watcher -> {
                assertThat(watcher.requests("watch")).isPositive();
                assertThat(watcher.requests("list")).isZero();
            });
        }
    }

    @Test
    void givenAProcessThatFreezes_whenItThawsAndLaterDies_thenOthersFollowItsShardsWithoutAListAndTheLogIsExact()
            throws Exception {
        var fleet = new Fleet();
        try (ChildProcess child = ChildJvm.of(WatcherMain.class)
                        .arguments(
                                world.kafka.bootstrapServers(),
                                layout.prefix(),
                                Integer.toString(PARTITIONS),
                                fleet.clusters.toString())
                        .output(folder.resolve("child.log"))
                        .start();
                var user = new BusyUser(cluster)) {
            child.awaitLine(WatcherMain.described(PARTITIONS, PARTITIONS), PATIENCE);
            LogWorld.Started other = fleet.start();
            awaitLive(1, other);
            user.start();

            child.freeze();
            long frozenAt = System.nanoTime();
            awaitLive(PARTITIONS, other);
            System.out.println("the shards of a frozen watcher have moved after ms: " + millisSince(frozenAt));
            user.rest();
            child.thaw(); // it now reads what came while it was frozen
            patiently().until(() -> other.watcher().shards().size() < PARTITIONS);
            fleet.awaitExactLog(user);

            user.start();
            child.kill();
            long killedAt = System.nanoTime();
            awaitLive(PARTITIONS, other);
            System.out.println("the shards of a dead watcher have moved after ms: " + millisSince(killedAt));
            fleet.awaitExactLog(user);
            assertThat(other.requests("list")).isZero();
            assertThat(child.outputText().lines().filter(line -> line.contains("lists: " + (PARTITIONS + 1))))
                    .as("it never listed again")
                    .isEmpty();
        }
    }

    /** Each partition's shard is halfway through its list, whichever of them moves. */
    @Test
    void givenAWatcherAmidItsLists_whenASecondJoinsAndTheFirstLeaves_thenNothingIsDoubledAndAMarkerTellsOfTheGap() {
        List<String> resources = List.of("configmaps", "secrets", "serviceaccounts");
        String id = idWithAShardEachOnItsOwnPartition(resources);
        for (String resource : resources) {
            for (int i = 0; i < 120; i++) {
                create(resource, "object-" + i);
            }
            // Pages of a hundred; the second is never answered, to the first who asks for it.
            cluster.proxy.add(Rule.named("held-" + resource)
                    .verbs(Verb.LIST)
                    .resources(resource)
                    .nth(2)
                    .then(new Fault.NoAnswer()));
        }
        LogWorld.Started first = startSingle(id, resources, Map.of());
        for (String resource : resources) {
            patiently().until(() -> cluster.proxy.happened("held-" + resource) == 1);
        }
        patiently().untilAsserted(() -> assertThat(newest(id)).hasSize(300));
        for (String resource : resources) { // what is listed and on the log already
            cluster.kube.merge(path(resource) + "/object-0", "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
            cluster.kube.delete(path(resource) + "/object-1");
            create(resource, "new");
        }

        LogWorld.Started second = startSingle(id, resources, Map.of());
        awaitLive(1, second);
        first.close();
        awaitLive(resources.size(), second);

        patiently().untilAsserted(() -> assertThat(newest(id)).isEqualTo(onServer(resources)));
        assertThat(events(id)).extracting(ChangeEvent::id).doesNotHaveDuplicates();
        assertThat(gaps(id)).hasSize(resources.size()).extracting(Gap::reason).containsOnly(Checkpoint.FIRST_LIST);
        assertThat(events(id))
                .as("one of each object, and what was done to two of them meanwhile")
                .hasSize(onServer(resources).size() + 3 * resources.size());
        for (String resource : resources) {
            assertThat(cluster.proxy.happened("held-" + resource)).isEqualTo(1);
        }
    }

    @Test
    void givenThreeBrokers_whenOneIsLostAmidChanges_thenTheWatcherGoesOnAndTheLogIsExact() throws Exception {
        var fleet = new Fleet();
        LogWorld.Started watcher = fleet.start();
        awaitLive(PARTITIONS, watcher);
        int lost = fleet.coordinatorOfTransactions();
        try (var user = new BusyUser(cluster)) {
            user.start();
            world.kafka.stopBroker(lost);
            fleet.awaitExactLog(user);

            user.start();
            world.kafka.startBroker(lost);
            fleet.awaitExactLog(user);
            assertThat(watcher.requests("list")).isEqualTo(PARTITIONS);
        } finally {
            world.kafka.startBroker(lost);
        }
    }

    /** As Kafka does it to a transaction that takes too long: it is aborted, and its producer fenced. */
    @Test
    void givenTransactionsThatKafkaEnds_whenTheirPartitionsAreTakenAgain_thenTheLogIsExactWithoutAList()
            throws Exception {
        var fleet = new Fleet();
        LogWorld.Started watcher = fleet.start();
        awaitLive(PARTITIONS, watcher);
        try (var user = new BusyUser(cluster);
                Admin admin = Admin.create(Map.of("bootstrap.servers", world.kafka.bootstrapServers()))) {
            user.start();
            admin.fenceProducers(IntStream.range(0, PARTITIONS)
                            .mapToObj(partition -> layout.prefix() + "watcher-" + partition)
                            .toList())
                    .all()
                    .get();
            fleet.awaitExactLog(user);
            assertThat(watcher.requests("list")).isEqualTo(PARTITIONS);
        }
    }

    @Test
    void givenAPartitionThatCannotBeWritten_whenItsShardHasMuchToSay_thenItIsHeldBackAndTheOthersGoOn() {
        int accounts = 50;
        String filling = "x".repeat(60_000);
        for (int i = 0; i < accounts; i++) {
            cluster.kube.create(
                    path("serviceaccounts"),
                    "{\"metadata\":{\"name\":\"account-" + i + "\",\"annotations\":{\"filling\":\"" + filling
                            + "\"}}}");
        }
        List<String> resources = List.of("configmaps", "serviceaccounts");
        String id = idWithAShardEachOnItsOwnPartition(resources);
        var shard = new ShardKey(id, "", "serviceaccounts");
        String held = layout.prefix() + "watcher-" + partition(shard);
        HeldClient.hold(held);
        try {
            LogWorld.Started started = startSingle(id, resources, HeldClient.CLIENT_PROPERTIES);
            patiently().until(() -> started.count("evenkeel.watcher.received.bytes") > LogWorld.BACKLOG_BYTES);
            for (int i = 0; i < 10; i++) {
                cluster.create("beside-" + i);
                String name = "ConfigMap beside-" + i;
                patiently().untilAsserted(() -> assertThat(newest(id)).containsKey(name));
            }
            assertThat(started.watcher().shards().get(shard))
                    .extracting(ShardStatus::state)
                    .isEqualTo(ShardState.SYNCING);
            assertThat(started.count("evenkeel.watcher.received.bytes"))
                    .as("of " + accounts * filling.length() + " bytes")
                    .isLessThan(2.0 * LogWorld.BACKLOG_BYTES);

            HeldClient.release(held);
            patiently().untilAsserted(() -> assertThat(newest(id)).isEqualTo(onServer(resources)));
            assertThat(events(id)).extracting(ChangeEvent::id).doesNotHaveDuplicates();
        } finally {
            HeldClient.release(held);
        }
    }

    private LogWorld.Started startSingle(String id, List<String> resources, Map<String, String> properties) {
        return open(LogWorld.start(
                LogWorld.kafka(world.kafka.bootstrapServers(), properties),
                layout,
                world.config(GROUP, resources.toArray(String[]::new)),
                LogWorld.single(id, world.write(cluster.kubeconfig()))));
    }

    private <T extends AutoCloseable> T open(T closeable) {
        opened.add(closeable);
        return closeable;
    }

    /** Waits until watchers own at least so many shards together, all of them live. */
    private static void awaitLive(int shards, LogWorld.Started... watchers) {
        patiently()
                .untilAsserted(() -> assertThat(Stream.of(watchers)
                                .flatMap(watcher -> watcher.watcher().shards().values().stream())
                                .map(ShardStatus::state))
                        .hasSizeGreaterThanOrEqualTo(shards)
                        .containsOnly(ShardState.LIVE));
    }

    private static ConditionFactory patiently() {
        return await().atMost(PATIENCE).pollInterval(Duration.ofMillis(200));
    }

    private static long millisSince(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
    }

    private static String newId() {
        return "c" + ids.incrementAndGet();
    }

    /** So that whichever partitions move, one of the shards moves with them. */
    private static String idWithAShardEachOnItsOwnPartition(List<String> resources) {
        return Stream.generate(WatcherFleetIT::newId)
                .filter(id -> resources.stream()
                                .map(resource -> partition(new ShardKey(id, "", resource)))
                                .distinct()
                                .count()
                        == resources.size())
                .findFirst()
                .orElseThrow();
    }

    private static List<ChangeEvent> events(String id) {
        return log.events(
                event -> event.cluster().equals(id) && event.namespace().equals("default"));
    }

    private static List<Gap> gaps(String id) {
        return log.gaps().stream().filter(gap -> gap.cluster().equals(id)).toList();
    }

    private static int partition(ShardKey shard) {
        return Partitioner.partition(shard, layout.watchStatePartitions());
    }

    private static String path(String resource) {
        return "/api/v1/namespaces/default/" + resource;
    }

    private void create(String resource, String name) {
        cluster.kube.create(path(resource), "{\"metadata\":{\"name\":\"" + name + "\"}}");
    }

    /** The resourceVersion of each object of the namespace that lives according to the log, by kind and name. */
    private static Map<String, String> newest(String id) {
        var newest = new TreeMap<String, String>();
        for (ChangeEvent event : events(id)) {
            String object = event.kind() + " " + event.name();
            switch (event.type()) {
                case ADDED, MODIFIED -> newest.put(object, event.resourceVersion());
                case DELETED -> newest.remove(object);
            }
        }
        return newest;
    }

    /** As {@link #newest}, according to the server. */
    private Map<String, String> onServer(List<String> resources) {
        var objects = new TreeMap<String, String>();
        for (String resource : resources) {
            JsonNode list = cluster.kube.get(path(resource));
            String kind = list.path("kind").asString().replace("List", "");
            list.path("items")
                    .forEach(item -> objects.put(
                            kind + " " + item.path("metadata").path("name").asString(),
                            item.path("metadata").path("resourceVersion").asString()));
        }
        return objects;
    }

    /** Watchers of the ConfigMaps of one server under as many ids as there are partitions, so that each has a shard. */
    private final class Fleet {
        private final Path clusters = folder.resolve("clusters");
        private final Map<Integer, String> idByPartition = new TreeMap<>();

        Fleet() throws IOException {
            Files.createDirectories(clusters);
            while (idByPartition.size() < PARTITIONS) {
                String id = newId();
                idByPartition.putIfAbsent(partition(new ShardKey(id, "", "configmaps")), id);
            }
            for (String id : idByPartition.values()) {
                Files.writeString(clusters.resolve(id + ".yaml"), cluster.kubeconfig());
            }
        }

        LogWorld.Started start() {
            return open(LogWorld.start(
                    LogWorld.kafka(world.kafka.bootstrapServers(), Map.of()),
                    layout,
                    world.config(GROUP, "configmaps"),
                    new ClusterChoice.Folder(clusters, REFRESH)));
        }

        /** Has the user rest, and waits until each cluster's log is what the server showed. */
        void awaitExactLog(BusyUser user) throws InterruptedException {
            List<String> changes = user.rest();
            for (String id : idByPartition.values()) {
                patiently()
                        .untilAsserted(() -> ServerHistory.assertSame(
                                changes,
                                events(id).stream()
                                        .filter(event -> event.name().startsWith(BusyUser.NAME))
                                        .map(EventLog::describe)
                                        .toList()));
                assertThat(gaps(id)).isEmpty();
            }
        }

        /** The broker on which the transactions of the first partition hang. */
        int coordinatorOfTransactions() throws ExecutionException, InterruptedException {
            String id = layout.prefix() + "watcher-0";
            try (Admin admin = Admin.create(Map.of("bootstrap.servers", world.kafka.bootstrapServers()))) {
                return admin.describeTransactions(List.of(id))
                        .description(id)
                        .get()
                        .coordinatorId();
            }
        }
    }
}
