package io.evenkeel.watcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.api.record.ChangeEvent;
import io.evenkeel.api.record.ChangeType;
import io.evenkeel.api.record.Gap;
import io.evenkeel.api.record.Origin;
import io.evenkeel.api.record.ShardState;
import io.evenkeel.api.topic.Topic;
import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.sandbox.fault.rule.Fault;
import io.evenkeel.sandbox.fault.rule.Rule;
import io.evenkeel.sandbox.fault.rule.Trigger;
import io.evenkeel.sandbox.fault.rule.Verb;
import io.evenkeel.sandbox.fault.rule.WatchEnd;
import io.evenkeel.sandbox.kube.KubeSim;
import io.evenkeel.sandbox.kube.store.ObjectType;
import io.evenkeel.watcher.fold.Checkpoint;
import io.evenkeel.watcher.health.ShardStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a server forgets, hides, breaks off or takes back, on a simulated API behind a fault proxy and a real broker. Long,
 * because all of it shares the broker.
 */
final class WatcherGapsIT {
    private static final LogWorld world = new LogWorld();

    @TempDir
    private Path folder;

    private final TopicLayout layout = world.layout();
    private final EventLog events = new EventLog(world.kafka.bootstrapServers(), layout, Topic.EVENTS);
    private SimCluster cluster = new SimCluster(KubeSim.builder());

    @AfterAll
    static void stopKafka() {
        world.close();
    }

    @AfterEach
    void stop() {
        events.close();
        cluster.close();
    }

    @Test
    void givenHistoryIsForgottenWhileAway_whenTheWatcherResumes_thenWhatDiffersIsOnTheLogBehindOneMarker() {
        try (var started = startWatcher()) {
            ready(started);
            List.of("unchanged", "changed", "deleted", "created-anew").forEach(cluster::create);
            awaitNames("unchanged", "changed", "deleted", "created-anew");
        }
        cluster.change("changed");
        cluster.delete("deleted");
        cluster.delete("created-anew");
        cluster.create("created-anew");
        cluster.create("new");
        cluster.create("came-and-went");
        cluster.delete("came-and-went");
        cluster.sim.compact();

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

            cluster.create("afterwards");
            awaitNames("unchanged", "changed", "created-anew", "new", "afterwards");
            assertThatNothingIsDoubled();
        }
    }

    @Test
    void givenAnOpenWatch_whenItExpires_thenItIsListedAndWatchedAgain() {
        cluster.proxy.add(Rule.named("expire").verbs(Verb.WATCH).times(1).then(Fault.endAfter(2, WatchEnd.EXPIRED)));
        try (var started = startWatcher()) {
            ready(started);
            for (int i = 0; i < 6; i++) {
                cluster.create("object-" + i);
            }
            awaitNames("object-0", "object-1", "object-2", "object-3", "object-4", "object-5");
            patiently().untilAsserted(() -> assertThat(events.gaps()).hasSize(1));
            assertThat(cluster.proxy.happened("expire")).isEqualTo(1);
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
        names.forEach(cluster::create);
        try (var started = startWatcher()) {
            ready(started);
        }
        cluster.delete("object-0");
        cluster.sim.compact();
        // A probe of one object is shorter than this, a page of a hundred is longer.
        cluster.proxy.add(Rule.named("half")
                .verbs(Verb.LIST)
                .resources("configmaps")
                .times(4)
                .then(new Fault.Truncate(20_000, Fault.Truncate.Ending.CUT)));
        try (var again = startWatcher()) {
            patiently().untilAsserted(() -> assertThat(events.gaps()).hasSize(1));
            assertThat(cluster.proxy.happened("half")).isPositive();
            assertThat(relisted()).containsExactly("DELETED object-0");
            assertThat(newest()).hasSize(249);
            ready(again);
            assertThatNothingIsDoubled();
        }
    }

    @Test
    void givenAListAfterAGap_whenItBreaksOffBehindItsFirstPage_thenNothingOfTheOtherPagesIsDeleted() {
        List<String> names =
                Stream.iterate(0, i -> i + 1).limit(120).map(i -> "object-" + i).toList();
        names.forEach(cluster::create);
        try (var started = startWatcher()) {
            ready(started);
        }
        cluster.delete("object-0");
        cluster.sim.compact();
        // The first list of the resource is the probe that is answered 410, the second is the first page.
        cluster.proxy.add(Rule.named("second page")
                .verbs(Verb.LIST)
                .resources("configmaps")
                .nth(3)
                .then(Fault.answer(500)));
        try (var again = startWatcher()) {
            patiently().untilAsserted(() -> assertThat(events.gaps()).hasSize(1));
            ready(again);
            assertThat(cluster.proxy.happened("second page")).isEqualTo(1);
            assertThat(again.requests("list"))
                    .as("a page, one that failed, both")
                    .isEqualTo(4);
            assertThat(relisted()).containsExactly("DELETED object-0");
            assertThat(newest()).hasSize(119);
        }
    }

    @Test
    void givenAServerThatEndsEachWatchAtOnce_whenWatched_thenItIsNotAskedInALoop() {
        cluster.proxy.add(
                Rule.named("end").verbs(Verb.WATCH).resources("configmaps").then(Fault.endAfter(0, WatchEnd.CLOSE)));
        long begun = System.nanoTime();
        try (var started = startWatcher()) {
            patiently().until(() -> cluster.proxy.happened("end") > 0);
            await().pollDelay(Duration.ofSeconds(2)).until(() -> cluster.proxy.happened("end") > 1);
            long pauses = cluster.proxy.happened("end") - 1;
            long leastMillis = LongStream.iterate(100, pause -> Math.min(2 * pause, 7_500))
                    .limit(pauses)
                    .sum();
            assertThat(Duration.ofNanos(System.nanoTime() - begun))
                    .as("%d pauses", pauses)
                    .isGreaterThan(Duration.ofMillis(leastMillis));
            cluster.create("meanwhile");
            cluster.proxy.remove("end");
            awaitNames("meanwhile");
            assertThat(started.requests("list")).isEqualTo(1);
            assertThatNothingIsDoubled();
        }
    }

    @Test
    void givenAWatchThatFallsSilent_whenItsSilenceIsTooLong_thenAnotherShowsWhatItHid() {
        cluster.proxy.add(Rule.named("silence").verbs(Verb.WATCH).times(1).then(Fault.endAfter(1, WatchEnd.SILENCE)));
        try (var started = startWatcher(Duration.ofSeconds(2))) {
            ready(started);
            cluster.create("shown");
            awaitNames("shown");
            cluster.create("hidden");
            awaitNames("shown", "hidden");
            assertThat(cluster.proxy.happened("silence")).isEqualTo(1);
            assertThat(events.gaps()).isEmpty();
            assertThat(started.requests("list")).isEqualTo(1);
            assertThatNothingIsDoubled();
        }
    }

    @Test
    void givenFramesThatBreakRepeatOrAreNoJson_whenWatched_thenTheLogIsExact() {
        cluster.proxy.add(Rule.named("half").verbs(Verb.WATCH).nth(1).then(Fault.endAfter(2, WatchEnd.HALF_FRAME)));
        cluster.proxy.add(Rule.named("garbage").verbs(Verb.WATCH).nth(2).then(Fault.endAfter(2, WatchEnd.GARBAGE)));
        cluster.proxy.add(Rule.named("cut").verbs(Verb.WATCH).nth(3).then(Fault.endAfter(2, WatchEnd.CUT)));
        cluster.proxy.add(
                Rule.named("twice").verbs(Verb.WATCH).nth(4).then(new Fault.DuplicateFrames(Trigger.always())));
        try (var started = startWatcher()) {
            ready(started);
            List<String> names = Stream.iterate(0, i -> i + 1)
                    .limit(12)
                    .map(i -> "object-" + i)
                    .toList();
            names.forEach(cluster::create);
            awaitNames(names.toArray(String[]::new));
            List.of("half", "garbage", "cut")
                    .forEach(rule ->
                            assertThat(cluster.proxy.happened(rule)).as(rule).isEqualTo(1));
            patiently().untilAsserted(() -> {
                cluster.change("object-0");
                assertThat(cluster.proxy.happened("twice")).isPositive();
            });
            assertThat(events.gaps()).isEmpty();
            assertThat(started.requests("list")).isEqualTo(1);
            assertThatNothingIsDoubled();
        }
    }

    @Test
    void givenATooLargeResourceVersion_whenTheWatcherResumes_thenItWaitsForTheServerWithoutListOrEpoch() {
        // It lags when it is asked for a position, and answers out of the store when it is asked without one. The first
        // of
        // both is the list before anything has changed.
        cluster.proxy.add(Rule.named("lag")
                .verbs(Verb.LIST)
                .resources("configmaps")
                .every(2)
                .then(new Fault.StaleView(3)));
        cluster.create("old");
        try (var started = startWatcher()) {
            ready(started);
            cluster.create("new");
            cluster.create("newer");
            awaitNames("old", "new", "newer");
        }
        try (var again = startWatcher()) {
            patiently()
                    .untilAsserted(
                            () -> assertThat(cluster.proxy.happened("lag")).isGreaterThan(2));
            assertThat(again.watcher().shards().values()).singleElement().satisfies(status -> {
                assertThat(status.state()).isEqualTo(ShardState.UNREACHABLE);
                assertThat(status.detail()).isEqualTo("the API server lags behind what it showed before");
            });
            cluster.proxy.remove("lag");
            ready(again);
            cluster.create("afterwards");
            awaitNames("old", "new", "newer", "afterwards");
            assertThat(events.gaps()).isEmpty();
            assertThat(events.events()).extracting(ChangeEvent::epoch).containsOnly(1L);
            assertThat(again.requests("list")).isZero();
            assertThatNothingIsDoubled();
        }
    }

    /** It may be anything; that it lags, or was restored, is not concluded from it. */
    @Test
    void givenAServerThatTimesOut_whenTheWatcherResumes_thenItSaysSoAndAsksNothingElse() {
        cluster.create("old");
        try (var started = startWatcher()) {
            ready(started);
        }
        cluster.proxy.add(Rule.named("timeout")
                .verbs(Verb.LIST)
                .resources("configmaps")
                .then(new Fault.Answer(504, Optional.of("Timeout"), Optional.empty())));
        try (var again = startWatcher()) {
            patiently()
                    .untilAsserted(() -> assertThat(again.watcher().shards().values())
                            .singleElement()
                            .extracting(ShardStatus::detail)
                            .isEqualTo("answered 504 to list"));
            cluster.proxy.remove("timeout");
            ready(again);
            cluster.create("afterwards");
            awaitNames("old", "afterwards");
            assertThat(events.gaps()).isEmpty();
            assertThat(again.requests("list")).isZero();
            assertThatNothingIsDoubled();
        }
    }

    @Test
    void givenAnotherClusterUnderTheAddress_whenTheWatcherResumes_thenANewEpochBegins() {
        try (var started = startWatcher()) {
            ready(started);
            cluster.create("only-before");
            cluster.create("in-both");
            awaitNames("only-before", "in-both");
        }
        replaceCluster(KubeSim.builder());
        cluster.create("in-both");
        try (var again = startWatcher()) {
            patiently().untilAsserted(() -> assertThat(events.gaps()).hasSize(1));
            assertThat(relisted()).containsExactlyInAnyOrder("DELETED only-before", "DELETED in-both", "ADDED in-both");
            assertThat(events.gaps().getFirst().epoch()).isEqualTo(2);
            cluster.create("afterwards");
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
        cluster.create("before");
        cluster.close();
        copy(folder.resolve("data"), folder.resolve("backup"));
        cluster = new SimCluster(KubeSim.builder().dataFolder(folder.resolve("data")));
        try (var started = startWatcher()) {
            ready(started);
            cluster.change("before");
            cluster.create("after-the-backup");
            awaitNames("before", "after-the-backup");
        }
        replaceCluster(KubeSim.builder().dataFolder(folder.resolve("backup")));
        try (var again = startWatcher()) {
            patiently().untilAsserted(() -> assertThat(events.gaps()).hasSize(1));
            assertThat(events.gaps().getFirst().epoch()).isEqualTo(2);
            assertThat(events.gaps().getFirst().reason()).contains("went back");
            assertThat(relisted()).containsExactlyInAnyOrder("MODIFIED before", "DELETED after-the-backup");
            cluster.create("afterwards");
            awaitNames("before", "afterwards");
            ready(again);
        }
    }

    @Test
    void givenAListWhoseSecondPageKeepsExpiring_whenListed_thenItIsAskedForAtOnceAndNothingIsDoubled() {
        List<String> names =
                Stream.iterate(0, i -> i + 1).limit(120).map(i -> "object-" + i).toList();
        names.forEach(cluster::create);
        cluster.proxy.add(Rule.named("expired")
                .verbs(Verb.LIST)
                .resources("configmaps")
                .from(2)
                .every(2)
                .times(2)
                .then(Fault.answer(410)));
        try (var started = startWatcher()) {
            ready(started);
            awaitNames(names.toArray(String[]::new));
            assertThat(cluster.proxy.happened("expired")).isEqualTo(2);
            assertThat(started.requests("list")).as("two pages, two pages, all").isEqualTo(5);
            assertThat(events.gaps()).extracting(Gap::reason).containsExactly(Checkpoint.FIRST_LIST);
            assertThatNothingIsDoubled();
        }
    }

    @Test
    void givenAServerThatAsksForPatience_whenListedAndWatched_thenTheShardStaysAwayAsLong() {
        Fault busy = Fault.answer(429).retryAfter(Duration.ofSeconds(1));
        cluster.proxy.add(Rule.named("list")
                .verbs(Verb.LIST)
                .resources("configmaps")
                .nth(1)
                .then(busy));
        cluster.proxy.add(Rule.named("watch")
                .verbs(Verb.WATCH)
                .resources("configmaps")
                .nth(1)
                .then(busy));
        cluster.create("listed");
        long began = System.nanoTime();
        try (var started = startWatcher()) {
            ready(started);
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofSeconds(2));
            cluster.create("watched");
            awaitNames("listed", "watched");
            assertThat(started.count("evenkeel.watcher.api.requests", "code", "429"))
                    .isEqualTo(2);
            assertThatNothingIsDoubled();
        }
    }

    /** Instances behind a balancer: what one has shown, the next has not seen yet. */
    @Test
    void givenEveryOtherInstanceLags_whenWatchesGoFromOneToTheNext_thenTheLogIsExact() throws Exception {
        Rule.Draft watches = Rule.named("lagging-watch").verbs(Verb.WATCH).resources("configmaps");
        cluster.proxy.add(watches.every(2).then(new Fault.StaleView(3)));
        cluster.proxy.add(Rule.named("ends")
                .verbs(Verb.WATCH)
                .resources("configmaps")
                .from(2)
                .every(2)
                .then(Fault.endAfter(3, WatchEnd.CLOSE)));
        // The second list is the first probe; the one after a refused probe is answered out of the store, as by all
        // instances.
        cluster.proxy.add(Rule.named("lagging-probe")
                .verbs(Verb.LIST)
                .resources("configmaps")
                .from(2)
                .every(3)
                .then(new Fault.StaleView(3)));
        try (var history = new ServerHistory(cluster.kube, SimCluster.CONFIG_MAPS);
                var started = startWatcher(Duration.ofSeconds(2))) {
            ready(started);
            for (int round = 0; round < 3; round++) {
                cluster.create("deleted");
                cluster.create("object-" + round);
                cluster.change("object-0");
                cluster.delete("deleted");
                int changes = 4 * (round + 1);
                patiently().untilAsserted(() -> {
                    assertThat(history.changes()).hasSize(changes);
                    ServerHistory.assertSame(history.changes(), described());
                });
            }
            assertThat(cluster.proxy.happened("lagging-watch")).isGreaterThan(1);
            assertThat(cluster.proxy.happened("lagging-probe")).isGreaterThan(1);
            assertThat(started.requests("list")).isEqualTo(1);
            assertThat(events.gaps()).isEmpty();
        }
    }

    @Test
    void givenListAndFramesInAnotherOrderThanTheirVersions_whenTheWatchBreaksOffBetweenThem_thenNoneIsMissing()
            throws Exception {
        List.of("z", "y", "x").forEach(cluster::create); // listed by name
        cluster.proxy.add(Rule.named("swapped").verbs(Verb.WATCH).then(new Fault.SwapFrames(Trigger.always())));
        cluster.proxy.add(Rule.named("cut").verbs(Verb.WATCH).nth(1).then(Fault.endAfter(1, WatchEnd.CUT)));
        try (var history = new ServerHistory(cluster.kube, SimCluster.CONFIG_MAPS);
                var started = startWatcher()) {
            ready(started);
            assertThat(newest()).containsOnlyKeys("x", "y", "z");
            cluster.create("overtaken"); // not shown by the watch that breaks off behind the next one
            cluster.create("overtakes");
            awaitNames("x", "y", "z", "overtaken", "overtakes");
            assertThat(cluster.proxy.happened("cut")).isEqualTo(1);
            cluster.change("x");
            cluster.change("y");
            cluster.delete("overtaken");
            cluster.delete("overtakes");
            patiently()
                    .untilAsserted(() -> ServerHistory.assertSame(
                            history.changes(),
                            described().stream()
                                    .skip(3) // of the list
                                    .toList()));
            cluster.create("ghost"); // shown behind its deletion
            cluster.delete("ghost");
            cluster.create("afterwards");
            cluster.change("afterwards");
            awaitNames("x", "y", "z", "afterwards");
            assertThat(cluster.proxy.happened("swapped")).isGreaterThan(3);
            assertThat(events.gaps()).isEmpty();
            assertThatNothingIsDoubled();
        }
    }

    @Test
    void givenSeveralDeletionsOfOneVersion_whenTheWatchBreaksOffBetweenThem_thenEachIsOnTheLogOnce() {
        List.of("a", "b", "c", "stays").forEach(cluster::create);
        cluster.proxy.add(Rule.named("cut").verbs(Verb.WATCH).nth(1).then(Fault.endAfter(2, WatchEnd.CUT)));
        try (var started = startWatcher()) {
            ready(started);
            cluster.sim
                    .cluster("kubesim")
                    .deleteTogether(new ObjectType("", "configmaps"), List.of("default/a", "default/b", "default/c"));
            awaitNames("stays");
            cluster.change("stays");
            patiently()
                    .untilAsserted(() -> assertThat(newest())
                            .hasEntrySatisfying(
                                    "stays", event -> assertThat(event.type()).isEqualTo(ChangeType.MODIFIED)));
            assertThat(cluster.proxy.happened("cut")).isEqualTo(1);
            List<ChangeEvent> deletions = events.events(event -> event.type() == ChangeType.DELETED);
            assertThat(deletions).extracting(ChangeEvent::name).containsExactlyInAnyOrder("a", "b", "c");
            assertThat(deletions)
                    .allSatisfy(event -> assertThat(event.finalStateKnown()).isTrue());
            assertThat(deletions)
                    .extracting(ChangeEvent::resourceVersion)
                    .containsOnly(deletions.getFirst().resourceVersion());
            assertThat(events.gaps()).isEmpty();
            assertThat(started.requests("list")).isEqualTo(1);
            assertThatNothingIsDoubled();
        }
    }

    private List<String> described() {
        return events.events(WatcherGapsIT::isOurs).stream()
                .map(EventLog::describe)
                .toList();
    }

    private LogWorld.Started startWatcher() {
        return startWatcher(Duration.ofSeconds(150));
    }

    private LogWorld.Started startWatcher(Duration silence) {
        return world.start(
                layout,
                world.config(layout.prefix() + "watcher", silence, "configmaps"),
                world.write(cluster.kubeconfig()));
    }

    private void replaceCluster(KubeSim.Builder successor) {
        cluster.close();
        cluster = new SimCluster(successor);
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
