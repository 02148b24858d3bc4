package io.evenkeel.watcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.api.record.ChangeEvent;
import io.evenkeel.api.record.Gap;
import io.evenkeel.api.record.Origin;
import io.evenkeel.api.record.ShardState;
import io.evenkeel.api.topic.Topic;
import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.sandbox.fault.FaultProxy;
import io.evenkeel.sandbox.fault.rule.Fault;
import io.evenkeel.sandbox.fault.rule.Rule;
import io.evenkeel.sandbox.fault.rule.Trigger;
import io.evenkeel.sandbox.fault.rule.Verb;
import io.evenkeel.sandbox.fault.rule.WatchEnd;
import io.evenkeel.sandbox.fault.upstream.Kubeconfig;
import io.evenkeel.sandbox.kube.KubeSim;
import io.evenkeel.watcher.health.ShardStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a server forgets, hides, breaks off or takes back, on a simulated API behind a fault proxy and a real broker. */
final class WatcherGapsIT {
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
    private static final LogWorld world = new LogWorld();

    @TempDir
    private Path folder;

    private final TopicLayout layout = world.layout();
    private final EventLog events = new EventLog(world.kafka.bootstrapServers(), layout, Topic.EVENTS);
    private KubeSim sim = start(KubeSim.builder());
    private KubeHttp kube = new KubeHttp(sim.baseUrl(), sim.token());
    private FaultProxy proxy = proxy();

    @AfterAll
    static void stopKafka() {
        world.close();
    }

    @AfterEach
    void stop() {
        events.close();
        stopCluster();
    }

    @Test
    void givenHistoryIsForgottenWhileAway_whenTheWatcherResumes_thenWhatDiffersIsOnTheLogBehindOneMarker() {
        try (var started = startWatcher()) {
            ready(started);
            List.of("unchanged", "changed", "deleted", "created-anew").forEach(this::create);
            awaitNames("unchanged", "changed", "deleted", "created-anew");
        }
        change("changed");
        kube.delete(CONFIG_MAPS + "/deleted");
        kube.delete(CONFIG_MAPS + "/created-anew");
        create("created-anew");
        create("new");
        create("came-and-went");
        kube.delete(CONFIG_MAPS + "/came-and-went");
        sim.compact();

        try (var again = startWatcher()) {
            patiently().untilAsserted(() -> assertThat(events.gaps()).hasSize(1));
            assertThat(relisted())
                    .containsExactlyInAnyOrder(
                            "MODIFIED changed",
                            "DELETED deleted",
                            "DELETED created-anew",
                            "ADDED created-anew",
                            "ADDED new");
            assertThat(events.events(event -> event.name().equals("deleted")).getLast())
                    .satisfies(event -> {
                        assertThat(event.finalStateKnown()).isFalse();
                        assertThat(event.object()).isEmpty();
                    });
            Gap gap = events.gaps().getFirst();
            assertThat(gap.reason()).startsWith("410");
            assertThat(gap.epoch()).isEqualTo(1);
            assertThat(Long.parseLong(gap.after().orElseThrow())).isLessThan(Long.parseLong(gap.until()));
            assertThat(again.requests("list")).isEqualTo(1);

            create("afterwards");
            awaitNames("unchanged", "changed", "created-anew", "new", "afterwards");
            assertThatNothingIsDoubled();
        }
    }

    @Test
    void givenAnOpenWatch_whenItExpires_thenItIsListedAndWatchedAgain() {
        proxy.add(Rule.named("expire").verbs(Verb.WATCH).times(1).then(Fault.endAfter(2, WatchEnd.EXPIRED)));
        try (var started = startWatcher()) {
            ready(started);
            for (int i = 0; i < 6; i++) {
                create("object-" + i);
            }
            awaitNames("object-0", "object-1", "object-2", "object-3", "object-4", "object-5");
            patiently().untilAsserted(() -> assertThat(events.gaps()).hasSize(1));
            assertThat(proxy.happened("expire")).isEqualTo(1);
            patiently()
                    .untilAsserted(() -> assertThat(started.count("evenkeel.watcher.reconnects"))
                            .isEqualTo(1));
            assertThatNothingIsDoubled();
        }
    }

    @Test
    void givenAListAfterAGap_whenItBreaksOffOrExpires_thenNothingThatLivesIsDeleted() {
        List<String> names =
                Stream.iterate(0, i -> i + 1).limit(250).map(i -> "object-" + i).toList();
        names.forEach(this::create);
        try (var started = startWatcher()) {
            ready(started);
        }
        kube.delete(CONFIG_MAPS + "/object-0");
        sim.compact();
        // A probe of one object is shorter than this, a page of a hundred is longer.
        proxy.add(Rule.named("half")
                .verbs(Verb.LIST)
                .resources("configmaps")
                .times(4)
                .then(new Fault.Truncate(20_000, Fault.Truncate.Ending.CUT)));
        try (var again = startWatcher()) {
            patiently().untilAsserted(() -> assertThat(events.gaps()).hasSize(1));
            assertThat(proxy.happened("half")).isPositive();
            assertThat(relisted()).containsExactly("DELETED object-0");
            assertThat(newest()).hasSize(249);
            ready(again);
            assertThatNothingIsDoubled();
        }
    }

    @Test
    void givenAWatchThatFallsSilent_whenItsSilenceIsTooLong_thenAnotherShowsWhatItHid() {
        proxy.add(Rule.named("silence").verbs(Verb.WATCH).times(1).then(Fault.endAfter(1, WatchEnd.SILENCE)));
        try (var started = startWatcher(Duration.ofSeconds(2))) {
            ready(started);
            create("shown");
            awaitNames("shown");
            create("hidden");
            awaitNames("shown", "hidden");
            assertThat(proxy.happened("silence")).isEqualTo(1);
            assertThat(events.gaps()).isEmpty();
            assertThat(started.requests("list")).isEqualTo(1);
            assertThatNothingIsDoubled();
        }
    }

    @Test
    void givenFramesThatBreakRepeatOrAreNoJson_whenWatched_thenTheLogIsExact() {
        proxy.add(Rule.named("half").verbs(Verb.WATCH).nth(1).then(Fault.endAfter(2, WatchEnd.HALF_FRAME)));
        proxy.add(Rule.named("garbage").verbs(Verb.WATCH).nth(2).then(Fault.endAfter(2, WatchEnd.GARBAGE)));
        proxy.add(Rule.named("cut").verbs(Verb.WATCH).nth(3).then(Fault.endAfter(2, WatchEnd.CUT)));
        proxy.add(Rule.named("twice").verbs(Verb.WATCH).nth(4).then(new Fault.DuplicateFrames(Trigger.always())));
        try (var started = startWatcher()) {
            ready(started);
            List<String> names = Stream.iterate(0, i -> i + 1)
                    .limit(12)
                    .map(i -> "object-" + i)
                    .toList();
            names.forEach(this::create);
            awaitNames(names.toArray(String[]::new));
            List.of("half", "garbage", "cut")
                    .forEach(rule -> assertThat(proxy.happened(rule)).as(rule).isEqualTo(1));
            patiently().untilAsserted(() -> {
                change("object-0");
                assertThat(proxy.happened("twice")).isPositive();
            });
            assertThat(events.gaps()).isEmpty();
            assertThat(started.requests("list")).isEqualTo(1);
            assertThatNothingIsDoubled();
        }
    }

    @Test
    void givenAServerThatLags_whenTheWatcherResumes_thenItWaitsAndNothingIsTakenBack() {
        create("old");
        try (var started = startWatcher()) {
            ready(started);
            create("new");
            awaitNames("old", "new");
        }
        proxy.add(Rule.named("lag")
                .verbs(Verb.LIST)
                .resources("configmaps")
                .times(3)
                .then(new Fault.Answer(504, Optional.of("Timeout"), Optional.empty())));
        try (var again = startWatcher()) {
            ready(again);
            create("afterwards");
            awaitNames("old", "new", "afterwards");
            assertThat(proxy.happened("lag")).isEqualTo(3);
            assertThat(events.gaps()).isEmpty();
            assertThat(again.requests("list")).isZero();
            assertThatNothingIsDoubled();
        }
    }

    @Test
    void givenAnotherClusterUnderTheAddress_whenTheWatcherResumes_thenANewEpochBegins() {
        try (var started = startWatcher()) {
            ready(started);
            create("only-before");
            create("in-both");
            awaitNames("only-before", "in-both");
        }
        replaceCluster(KubeSim.builder());
        create("in-both");
        try (var again = startWatcher()) {
            patiently().untilAsserted(() -> assertThat(events.gaps()).hasSize(1));
            assertThat(relisted()).containsExactlyInAnyOrder("DELETED only-before", "DELETED in-both", "ADDED in-both");
            assertThat(events.gaps().getFirst().epoch()).isEqualTo(2);
            create("afterwards");
            awaitNames("in-both", "afterwards");
            assertThat(events.events(event -> event.name().equals("afterwards")))
                    .extracting(ChangeEvent::epoch)
                    .containsExactly(2L);
            assertThat(again.watcher().shards().values())
                    .extracting(ShardStatus::state)
                    .containsExactly(ShardState.LIVE);
        }
    }

    @Test
    void givenDataRestoredToAnOlderState_whenTheWatcherResumes_thenANewEpochBegins() throws IOException {
        replaceCluster(KubeSim.builder().dataFolder(folder.resolve("data")));
        create("before");
        stopCluster();
        copy(folder.resolve("data"), folder.resolve("backup"));
        startCluster(KubeSim.builder().dataFolder(folder.resolve("data")));
        try (var started = startWatcher()) {
            ready(started);
            change("before");
            create("after-the-backup");
            awaitNames("before", "after-the-backup");
        }
        replaceCluster(KubeSim.builder().dataFolder(folder.resolve("backup")));
        try (var again = startWatcher()) {
            patiently().untilAsserted(() -> assertThat(events.gaps()).hasSize(1));
            assertThat(events.gaps().getFirst().epoch()).isEqualTo(2);
            assertThat(events.gaps().getFirst().reason()).contains("went back");
            assertThat(relisted()).containsExactlyInAnyOrder("MODIFIED before", "DELETED after-the-backup");
            create("afterwards");
            awaitNames("before", "afterwards");
            ready(again);
        }
    }

    private LogWorld.Started startWatcher() {
        return startWatcher(Duration.ofSeconds(150));
    }

    private LogWorld.Started startWatcher(Duration silence) {
        try {
            Path direct = Files.writeString(folder.resolve("direct"), sim.kubeconfig());
            Kubeconfig config = Kubeconfig.read(direct);
            String through = config.through(
                    Map.of(config.currentContext(), new Kubeconfig.Entrance(proxy.url(), proxy.certificatePem())));
            return world.start(
                    layout, world.config(layout.prefix() + "watcher", silence, "configmaps"), world.write(through));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static KubeSim start(KubeSim.Builder builder) {
        try {
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private FaultProxy proxy() {
        try {
            Path direct = Files.writeString(Files.createTempFile("sim", "kubeconfig"), sim.kubeconfig());
            Kubeconfig config = Kubeconfig.read(direct);
            return FaultProxy.before(config.upstream(config.currentContext())).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void replaceCluster(KubeSim.Builder successor) {
        stopCluster();
        startCluster(successor);
    }

    private void stopCluster() {
        proxy.close();
        kube.close();
        sim.close();
    }

    private void startCluster(KubeSim.Builder builder) {
        sim = start(builder);
        kube = new KubeHttp(sim.baseUrl(), sim.token());
        proxy = proxy();
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        }
    }

    private void create(String name) {
        kube.create(CONFIG_MAPS, "{\"metadata\":{\"name\":\"" + name + "\"},\"data\":{\"key\":\"value\"}}");
    }

    private void change(String name) {
        kube.merge(CONFIG_MAPS + "/" + name, "{\"data\":{\"key\":\"changed-" + sim.resourceVersion() + "\"}}");
    }

    private static void ready(LogWorld.Started started) {
        patiently().untilAsserted(() -> assertThat(started.watcher().notReady()).isEmpty());
    }

    private static ConditionFactory patiently() {
        return await().atMost(Duration.ofSeconds(30));
    }

    /** Waits until exactly these are alive according to the log. */
    private void awaitNames(String... names) {
        patiently().untilAsserted(() -> assertThat(newest().keySet()).containsExactlyInAnyOrder(names));
    }

    /** The newest event of each object of the namespace that lives, by name. */
    private Map<String, ChangeEvent> newest() {
        var newest = new HashMap<String, ChangeEvent>();
        for (ChangeEvent event : events.events(WatcherGapsIT::isOurs)) {
            switch (event.type()) {
                case ADDED, MODIFIED -> newest.put(event.name(), event);
                case DELETED -> newest.remove(event.name());
            }
        }
        return newest;
    }

    private List<String> relisted() {
        return events.events(event -> isOurs(event) && event.origin() == Origin.RELIST).stream()
                .map(event -> event.type() + " " + event.name())
                .toList();
    }

    private void assertThatNothingIsDoubled() {
        assertThat(events.events()).extracting(ChangeEvent::id).doesNotHaveDuplicates();
    }

    private static boolean isOurs(ChangeEvent event) {
        return event.namespace().equals("default") && !event.name().equals("kube-root-ca.crt");
    }
}
