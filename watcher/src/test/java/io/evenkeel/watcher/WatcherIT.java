package io.evenkeel.watcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.api.Partitioner;
import io.evenkeel.api.ShardKey;
import io.evenkeel.api.json.Json;
import io.evenkeel.api.record.ChangeEvent;
import io.evenkeel.api.record.ChangeType;
import io.evenkeel.api.record.Origin;
import io.evenkeel.api.record.ShardState;
import io.evenkeel.api.record.WatchStatus;
import io.evenkeel.api.topic.Topic;
import io.evenkeel.api.topic.TopicLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** The main path and its interruptions, on a real API server and a real broker. */
@EnabledIf("io.evenkeel.sandbox.real.RealKubeApi#available")
final class WatcherIT {
    private static World world;
    private static KubeHttp kube;

    @BeforeAll
    static void start() {
        world = new World();
        kube = world.kube();
    }

    @AfterAll
    static void stop() {
        kube.close();
        world.close();
    }

    @Test
    void givenObjectsAndChanges_whenWatched_thenTheLogIsWhatTheServerShowed() throws Exception {
        String namespace = namespace("exact");
        TopicLayout layout = world.layout();
        for (int i = 0; i < 250; i++) {
            create(namespace, "before-" + i);
        }
        try (var started = world.start(layout, "configmaps", "namespaces", "deployments.apps");
                var events = new EventLog(world.kafka.bootstrapServers(), layout, Topic.EVENTS);
                var objects = new EventLog(world.kafka.bootstrapServers(), layout, Topic.OBJECTS)) {
            ready(started);
            assertThat(events.events(in(namespace)))
                    .hasSizeGreaterThanOrEqualTo(250)
                    .allSatisfy(event -> {
                        assertThat(event.origin()).isEqualTo(Origin.LIST);
                        assertThat(event.type()).isEqualTo(ChangeType.ADDED);
                        assertThat(event.changed()).contains("data");
                        assertThat(event.object().orElseThrow().path("kind").asString())
                                .isEqualTo("ConfigMap");
                    });
            try (var history = new ServerHistory(kube, "/api/v1/namespaces/" + namespace + "/configmaps")) {
                for (int i = 0; i < 40; i++) {
                    String path = create(namespace, "object-" + i);
                    kube.merge(path, "{\"data\":{\"key\":\"changed\"}}");
                    kube.merge(path, "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
                    if (i % 2 == 0) {
                        kube.delete(path);
                        create(namespace, "object-" + i);
                    }
                }
                patiently().untilAsserted(() -> assertThat(history.changes()).hasSize(160));
                patiently()
                        .untilAsserted(() -> ServerHistory.assertSame(history.changes(), watched(events, namespace)));
            }
            assertThat(events.events(in(namespace).and(event -> event.name().equals("object-1"))).stream()
                            .map(ChangeEvent::changed)
                            .toList())
                    .element(2)
                    .isEqualTo(List.of("metadata.labels"));
            assertThat(objects.records()).hasSizeGreaterThan(400);
            assertThat(events.gaps()).isEmpty();
        }
    }

    @Test
    void givenClosedWatcher_whenItStartsAgain_thenItResumesWithoutListAndWithoutGap() throws Exception {
        String namespace = namespace("resume");
        TopicLayout layout = world.layout();
        create(namespace, "first");
        try (var events = new EventLog(world.kafka.bootstrapServers(), layout, Topic.EVENTS)) {
            try (var started = world.start(layout, "configmaps")) {
                ready(started);
            }
            create(namespace, "while-away");
            kube.delete(create(namespace, "came-and-went"));
            try (var again = world.start(layout, "configmaps")) {
                ready(again);
                create(namespace, "afterwards");
                patiently()
                        .untilAsserted(() -> assertThat(names(events, namespace))
                                .containsExactlyInAnyOrder(
                                        "ADDED first",
                                        "ADDED while-away",
                                        "ADDED came-and-went",
                                        "DELETED came-and-went",
                                        "ADDED afterwards"));
                assertThat(again.requests("list")).isZero();
                assertThat(again.requests("probe")).isEqualTo(1);
                assertThat(events.gaps()).isEmpty();
            }
        }
    }

    @Test
    void givenRunningWatcher_whenAnotherTakesItsPartitions_thenTheFormerCannotWriteAndNothingIsDoubled()
            throws Exception {
        String namespace = namespace("fence");
        TopicLayout layout = world.layout();
        create(namespace, "first");
        try (var events = new EventLog(world.kafka.bootstrapServers(), layout, Topic.EVENTS);
                var former = world.start(layout, world.config("one-group", "configmaps"), world.kubeconfig())) {
            ready(former);
            // Another group gets the same partitions: what happens when a frozen process does not know it was replaced.
            try (var successor = world.start(layout, world.config("other-group", "configmaps"), world.kubeconfig())) {
                ready(successor);
                for (int i = 0; i < 20; i++) {
                    create(namespace, "object-" + i);
                }
                patiently()
                        .untilAsserted(
                                () -> assertThat(events.events(in(namespace))).hasSize(21));
                assertThat(events.events(in(namespace)))
                        .extracting(ChangeEvent::id)
                        .doesNotHaveDuplicates();
                assertThat(successor.requests("list")).isZero();
            }
        }
    }

    @Test
    void givenKafkaRestarts_whenChangesGoOn_thenNoneIsLostOrDoubled() throws Exception {
        String namespace = namespace("broker");
        TopicLayout layout = world.layout();
        try (var started = world.start(layout, "configmaps");
                var history = new ServerHistory(kube, "/api/v1/namespaces/" + namespace + "/configmaps")) {
            ready(started);
            create(namespace, "before");
            try (var events = new EventLog(world.kafka.bootstrapServers(), layout, Topic.EVENTS)) {
                // What the first list brought is committed then, so that nothing is left to be listed again.
                patiently()
                        .untilAsserted(
                                () -> assertThat(names(events, namespace)).contains("ADDED before"));
            }
            double pages = started.requests("list"); // one for each 100 objects that the class's tests have made so far
            for (int i = 0; i < 60; i++) {
                create(namespace, "object-" + i);
                if (i == 20) {
                    world.kafka.restart();
                }
            }
            try (var events = new EventLog(world.kafka.bootstrapServers(), layout, Topic.EVENTS)) {
                patiently()
                        .untilAsserted(() -> assertThat(watched(events, namespace))
                                .containsExactlyInAnyOrderElementsOf(history.changes())
                                .hasSizeGreaterThanOrEqualTo(60));
                create(namespace, "afterwards");
                patiently()
                        .untilAsserted(
                                () -> assertThat(names(events, namespace)).contains("ADDED afterwards"));
                assertThat(started.requests("list")).isEqualTo(pages);
            }
        }
    }

    /** Whether the server still knows the position after it was killed is its affair: a gap may be, and is then marked. */
    @Test
    void givenTheApiServerIsKilled_whenChangesGoOn_thenEachIsOnTheLogOnce() throws Exception {
        String namespace = namespace("killed");
        TopicLayout layout = world.layout();
        try (var started = world.start(layout, "configmaps");
                var events = new EventLog(world.kafka.bootstrapServers(), layout, Topic.EVENTS)) {
            ready(started);
            var made = new AtomicInteger();
            var resting = new AtomicBoolean();
            Thread user = Thread.ofVirtual().start(() -> {
                while (!resting.get()) {
                    if (isCreated(namespace, "object-" + made.get())) {
                        made.incrementAndGet();
                    }
                }
            });
            try {
                patiently().until(() -> made.get() >= 20);
                world.api.crash();
                int before = made.get();
                patiently().until(() -> made.get() >= before + 20);
            } finally {
                resting.set(true);
                user.join();
            }
            List<String> onServer = kube.get("/api/v1/namespaces/" + namespace + "/configmaps")
                    .path("items")
                    .valueStream()
                    .map(item -> item.path("metadata"))
                    .filter(metadata -> metadata.path("name").asString().startsWith("object-"))
                    .map(metadata -> "ADDED " + metadata.path("name").asString() + " "
                            + metadata.path("resourceVersion").asString())
                    .toList();
            assertThat(onServer).hasSize(made.get());
            patiently()
                    .untilAsserted(() -> assertThat(events.events(in(namespace)))
                            .extracting(event -> event.type() + " " + event.name() + " " + event.resourceVersion())
                            .containsExactlyInAnyOrderElementsOf(onServer));
            assertThat(events.gaps()).hasSizeLessThanOrEqualTo(1);
        }
    }

    @Test
    void givenShardIsDroppedFromTheConfiguration_whenWatchersRestart_thenItsStatusGoesAndTheOthersGoOn() {
        TopicLayout layout = world.layout();
        ShardKey kept = new ShardKey(LogWorld.CLUSTER, "", "configmaps");
        ShardKey dropped = new ShardKey(LogWorld.CLUSTER, "", "secrets");
        assertThat(Partitioner.partition(dropped, layout.watchStatePartitions()))
                .as("its partition has no other shard")
                .isNotEqualTo(Partitioner.partition(kept, layout.watchStatePartitions()));
        try (var status = new EventLog(world.kafka.bootstrapServers(), layout, Topic.WATCH_STATUS)) {
            try (var started = world.start(layout, "configmaps", "secrets")) {
                ready(started);
                create(namespace("status"), "first");
                patiently().untilAsserted(() -> {
                    assertThat(statuses(status)).containsOnlyKeys(kept, dropped).allSatisfy((shard, newest) -> {
                        assertThat(newest.state()).isEqualTo(ShardState.LIVE);
                        assertThat(newest.error()).isEmpty();
                        assertThat(newest.currentAt()).isPresent();
                    });
                    assertThat(statuses(status).get(kept))
                            .extracting(WatchStatus::lastEventAt)
                            .isNotEqualTo(Optional.empty());
                });
                assertThat(started.count("evenkeel.watcher.api.requests", "verb", "list", "code", "200"))
                        .isEqualTo(2);
                assertThat(started.count("evenkeel.watcher.received.bytes")).isPositive();
                assertThat(started.count("evenkeel.watcher.reconnects")).isZero();
                assertThat(started.registry()
                                .get("evenkeel.watcher.transaction.time")
                                .timer()
                                .count())
                        .isPositive();
                assertThat(started.registry()
                                .get("evenkeel.watcher.shards")
                                .tag("state", "LIVE")
                                .gauge()
                                .value())
                        .isEqualTo(2);
            }
            try (var again = world.start(layout, "configmaps")) {
                ready(again);
                patiently().untilAsserted(() -> assertThat(statuses(status)).containsOnlyKeys(kept));
            }
        }
    }

    private static Map<ShardKey, WatchStatus> statuses(EventLog topic) {
        var newest = new HashMap<ShardKey, WatchStatus>();
        for (ConsumerRecord<byte[], byte[]> record : topic.records()) {
            ShardKey shard = ShardKey.parse(new String(record.key(), StandardCharsets.UTF_8));
            if (record.value() == null) {
                newest.remove(shard);
            } else {
                newest.put(shard, Json.read(record.value(), WatchStatus.class));
                assertThat(newest.get(shard).key()).isEqualTo(shard);
            }
        }
        return newest;
    }

    private static void ready(LogWorld.Started started) {
        patiently().untilAsserted(() -> assertThat(started.watcher().notReady()).isEmpty());
    }

    private static ConditionFactory patiently() {
        return await().atMost(Duration.ofSeconds(30));
    }

    private static String namespace(String name) {
        kube.create("/api/v1/namespaces", "{\"metadata\":{\"name\":\"" + name + "\"}}");
        return name;
    }

    private static String create(String namespace, String name) {
        String path = "/api/v1/namespaces/" + namespace + "/configmaps";
        kube.create(path, "{\"metadata\":{\"name\":\"" + name + "\"},\"data\":{\"key\":\"value\"}}");
        return path + "/" + name;
    }

    /** Whether it is there now, whatever became of this request and of those before. */
    private static boolean isCreated(String namespace, String name) {
        try {
            create(namespace, name);
            return true;
        } catch (AssertionError e) {
            return String.valueOf(e.getMessage()).contains("AlreadyExists");
        }
    }

    private static Predicate<ChangeEvent> in(String namespace) {
        // Every namespace gets this one from the control plane where that runs; its time is not ours to know.
        return event -> event.namespace().equals(namespace) && !event.name().equals("kube-root-ca.crt");
    }

    private static List<String> watched(EventLog log, String namespace) {
        return log.events(in(namespace).and(event -> event.origin() == Origin.WATCH)).stream()
                .map(EventLog::describe)
                .toList();
    }

    private static List<String> names(EventLog log, String namespace) {
        return log.events(in(namespace)).stream()
                .map(event -> event.type() + " " + event.name())
                .toList();
    }
}
