package io.evenkeel.worker.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.api.json.Json;
import io.evenkeel.api.record.AttemptOutcome;
import io.evenkeel.api.record.AttemptOutcome.Result;
import io.evenkeel.api.record.DeadLetter;
import io.evenkeel.api.record.Pause;
import io.evenkeel.api.record.ReconcileRequest;
import io.evenkeel.api.record.RequestReason;
import io.evenkeel.api.record.RetryEntry;
import io.evenkeel.api.record.RetryTier;
import io.evenkeel.api.topic.Topic;
import io.evenkeel.reconciler.Context;
import io.evenkeel.reconciler.Outcome;
import io.evenkeel.reconciler.RunPolicy;
import io.evenkeel.worker.harness.Widget;
import io.evenkeel.worker.harness.WidgetCluster;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;

class PartitionProcessorTest {
    private final List<String> seen = new ArrayList<>();

    @Test
    void givenWidget_whenItAppears_thenHandlerRunsAndOutcomeSettlesIt() {
        try (var bench = new TaskBench((widget, context) -> {
            seen.add(widget.getMetadata().getName() + " " + widget.getSpec().size());
            return Outcome.done();
        })) {
            bench.putWidget("a", 1);
            assertThat(bench.runHandlers()).isEqualTo(1);
            bench.deliverOutcomes();
            assertThat(seen).containsExactly("a 1");
            assertThat(bench.outcomes()).extracting(AttemptOutcome::result).containsExactly(Result.DONE);
            assertThat(bench.runHandlers()).isZero();
        }
    }

    @Test
    void givenAttemptThatHasNotBegun_whenNewerStateComes_thenHandlerSeesOnlyTheNewest() {
        try (var bench = new TaskBench((widget, context) -> {
            seen.add("generation " + widget.getMetadata().getGeneration());
            return Outcome.done();
        })) {
            bench.putWidget("a", 1);
            bench.putWidget("a", 2);
            bench.putWidget("a", 3);
            bench.runHandlers();
            bench.deliverOutcomes();
            assertThat(bench.runHandlers()).isZero();
            assertThat(seen).containsExactly("generation 3");
        }
    }

    @Test
    void givenAttemptThatRuns_whenNewerStatesCome_thenOneMoreRunSeesTheNewest() {
        try (var bench = new TaskBench((widget, context) -> {
            seen.add("generation " + widget.getMetadata().getGeneration());
            return Outcome.done();
        })) {
            bench.putWidget("a", 1);
            bench.runHandlers();
            bench.putWidget("a", 2);
            bench.putWidget("a", 3);
            assertThat(bench.runHandlers()).as("one key, one attempt").isZero();
            bench.deliverOutcomes();
            bench.runHandlers();
            bench.deliverOutcomes();
            assertThat(seen).containsExactly("generation 1", "generation 3");
        }
    }

    @Test
    void givenAPausedController_whenKeysCome_thenTheyWaitAndRunWhenItIsResumed() {
        try (var bench = new TaskBench((widget, context) -> Outcome.done())) {
            pause(bench, Optional.of("widgets"), Optional.empty());
            bench.putWidget("a", 1);
            assertThat(bench.runHandlers()).isZero();
            bench.around.pauses.are(Map.of());
            bench.pass(Duration.ofSeconds(1));
            assertThat(bench.runHandlers()).isEqualTo(1);
        }
    }

    @Test
    void givenAPausedObject_whenKeysCome_thenOnlyItsOwnWaitsAndItHoldsNoPermit() {
        try (var bench = new TaskBench(TaskBench.Plan.of((widget, context) -> {
                    seen.add(widget.getMetadata().getName() + " "
                            + widget.getMetadata().getGeneration());
                    return Outcome.done();
                })
                .concurrency(1))) {
            pause(bench, Optional.empty(), Optional.of(TaskBench.widget("a").toString()));
            bench.putWidget("a", 1);
            bench.putWidget("b", 1);
            bench.runHandlers();
            bench.putWidget("a", 2);
            bench.runHandlers();
            assertThat(seen).containsExactly("b 1");
            assertThat(bench.permitsInUse()).isZero();
            try (TaskBench next = bench.successor()) {
                pause(next, Optional.empty(), Optional.of(TaskBench.widget("a").toString()));
                assertThat(next.runHandlers())
                        .as("paused for whoever comes next")
                        .isZero();
                next.around.pauses.are(Map.of());
                next.pass(Duration.ofSeconds(1));
                next.runHandlers();
            }
            assertThat(seen).containsExactly("b 1", "a 2");
        }
    }

    private static void pause(TaskBench bench, Optional<String> controller, Optional<String> object) {
        var pause = new Pause(controller, Optional.empty(), object, "maintenance", "ada", TaskBench.START);
        bench.around.pauses.are(Map.of(pause.key(), pause));
    }

    @Test
    void givenATimetable_whenAnAttemptEndsWell_thenItsNextTimeIsOnTheRetryTopicsAndBringsItBackInTheLowestLane() {
        try (var bench = new TaskBench(TaskBench.Plan.of((widget, context) -> Outcome.done())
                .described(controller -> controller.resync(Duration.ofSeconds(60))))) {
            bench.putWidget("a", 1);
            bench.runHandlers();
            bench.deliverOutcomes();
            RetryEntry entry = waiting(bench).getFirst();
            assertThat(entry.kind()).isEqualTo(RetryEntry.Kind.RESYNC);
            assertThat(entry.due()).isBetween(TaskBench.START.plusSeconds(54), TaskBench.START.plusSeconds(66));
            bench.pass(Duration.ofSeconds(70));
            bench.request("a", new RequestReason.ResyncDue(entry.due()));
            assertThat(bench.runHandlers()).isEqualTo(1);
            assertThat(bench.outcomes().getLast().causes().getFirst().type()).isEqualTo("RESYNC_DUE");
        }
    }

    @Test
    void givenObjectsAtRest_whenTheirControllerIsGivenATimetable_thenTheyAreGivenATime() {
        TaskBench.Plan plan = TaskBench.Plan.of((widget, context) -> Outcome.done());
        try (var bench = new TaskBench(plan)) {
            bench.putWidget("a", 1);
            bench.runHandlers();
            bench.deliverOutcomes();
            assertThat(waiting(bench)).isEmpty();
            try (TaskBench later =
                    bench.successor(plan.described(controller -> controller.resync(Duration.ofSeconds(60))))) {
                later.pass(Duration.ofSeconds(1));
                assertThat(waiting(later))
                        .singleElement()
                        .extracting(RetryEntry::kind)
                        .isEqualTo(RetryEntry.Kind.RESYNC);
            }
        }
    }

    /** What was written to the retry topics since it was read last. */
    private static List<RetryEntry> waiting(TaskBench bench) {
        return Stream.of(RetryTier.values())
                .flatMap(tier -> bench.read(Topic.retry(tier)).stream())
                .map(message -> Json.read(message.value(), RetryEntry.class))
                .toList();
    }

    @Test
    void givenAHandlerThatHangsAndIgnoresItsInterrupt_whenItsTimeIsUp_thenItIsLeftBehindAndItsKeyIsTriedAgain()
            throws Exception {
        var hanging = new CountDownLatch(1);
        var interrupts = new AtomicInteger();
        try (var bench = new TaskBench(TaskBench.Plan.of((widget, context) -> {
                    seen.add("attempt " + context.attempt());
                    while (context.attempt() == 1 && hanging.getCount() > 0) {
                        try {
                            hanging.await();
                        } catch (InterruptedException e) {
                            interrupts.incrementAndGet();
                        }
                    }
                    return Outcome.done();
                })
                .concurrency(1))) {
            bench.putWidget("a", 1);
            Thread handler = bench.startHandler();
            await().until(() -> handler.getState() == Thread.State.WAITING);

            bench.pass(RunPolicy.STANDARD.attemptTimeout());
            assertThat(interrupts).as("to the second, its time is not up").hasValue(0);
            bench.pass(Duration.ofSeconds(1));
            await().untilAsserted(() -> assertThat(interrupts).hasValue(1));
            assertThat(bench.permitsInUse()).as("it may still end").isEqualTo(1);
            bench.pass(Duration.ofSeconds(6));

            assertThat(bench.outcomes()).singleElement().satisfies(outcome -> {
                assertThat(outcome.result()).isEqualTo(Result.FAILED);
                assertThat(outcome.reason()).isEqualTo("the handler took longer than 300 s");
            });
            assertThat(bench.permitsInUse()).isZero();
            bench.pass(Duration.ofMinutes(1));
            assertThat(bench.outcomes()).as("it is left behind once").hasSize(1);
            bench.deliverOutcomes();
            bench.retry("a", 1);
            settle(bench);
            hanging.countDown();
            handler.join();
            assertThat(bench.outcomes())
                    .extracting(AttemptOutcome::result)
                    .as("what the first one returns in the end is of no account")
                    .containsExactly(Result.FAILED, Result.DONE);
            assertThat(seen).containsExactly("attempt 1", "attempt 2");
            assertThat(bench.permitsInUse()).isZero();
        }
    }

    @Test
    void givenChild_whenItComesMovesAndGoes_thenEachOwnerKnows() {
        try (var bench = new TaskBench((widget, context) -> {
            List<String> names = context.secondaries(ConfigMap.class).stream()
                    .map(child -> child.getMetadata().getName())
                    .toList();
            seen.add(widget.getMetadata().getName() + " has " + names);
            return Outcome.done();
        })) {
            bench.putWidget("a", 1);
            bench.putWidget("b", 1);
            settle(bench);
            bench.putConfigMap("child", "a");
            assertThat(reasons(bench)).containsExactly("SecondaryChanged a");
            settle(bench);
            bench.putConfigMap("child", "b");
            assertThat(reasons(bench)).containsExactlyInAnyOrder("SecondaryChanged b", "SecondaryRemoved a");
            settle(bench);
            bench.delete(TaskBench.configMap("child"));
            assertThat(reasons(bench)).containsExactly("SecondaryRemoved b");
            settle(bench);
        }
        assertThat(seen)
                .containsExactlyInAnyOrder(
                        "a has []", "b has []", "a has [child]", "b has [child]", "a has []", "b has []");
    }

    @Test
    void givenHandlerFails_whenFolded_thenRetryIsOnTheSmallestTier() {
        try (var bench = new TaskBench((widget, context) -> Outcome.retry("not yet"))) {
            bench.putWidget("a", 1);
            settle(bench);
            List<RetryEntry> entries = bench.read(Topic.RETRY_100MS).stream()
                    .map(message -> Json.read(message.value(), RetryEntry.class))
                    .toList();
            assertThat(entries).singleElement().satisfies(entry -> {
                assertThat(entry.attempt()).isEqualTo(1);
                assertThat(entry.why()).isEqualTo("not yet");
                assertThat(entry.due()).isBetween(TaskBench.START.plusMillis(100), TaskBench.START.plusMillis(200));
            });
        }
    }

    @Test
    void givenHandlerFailsForGood_whenSpecChanges_thenLetterIsWithdrawn() {
        try (var bench = new TaskBench((widget, context) ->
                widget.getMetadata().getGeneration() == 1 ? Outcome.failed("hopeless") : Outcome.done())) {
            bench.putWidget("a", 1);
            settle(bench);
            var letters = bench.read(Topic.DEAD_LETTERS);
            assertThat(letters)
                    .singleElement()
                    .satisfies(message -> assertThat(
                                    Json.read(message.value(), DeadLetter.class).reason())
                            .isEqualTo(DeadLetter.Reason.TERMINAL_ERROR));
            bench.putWidget("a", 2);
            assertThat(bench.read(Topic.DEAD_LETTERS)).singleElement().satisfies(message -> {
                assertThat(message.value()).isNull();
                assertThat(new String(message.key(), StandardCharsets.UTF_8))
                        .isEqualTo(TaskBench.key("a").toString());
            });
            settle(bench);
            assertThat(bench.outcomes().getLast().result()).isEqualTo(Result.DONE);
        }
    }

    @Test
    void givenKeysThatWereLostTwice_whenTheyAreDue_thenTheyRunOneByOneAndOthersBesideThem() {
        try (var bench = new TaskBench((widget, context) -> {
            seen.add(widget.getMetadata().getName());
            return Outcome.done();
        })) {
            bench.putWidget("a", 1);
            bench.putWidget("b", 1);
            assertThat(bench.runHandlers()).isEqualTo(2);
            bench.loseWorker();
            retry(bench, 1, "a", "b");
            assertThat(bench.runHandlers()).as("one loss says nothing").isEqualTo(2);
            bench.loseWorker();
            seen.clear();

            retry(bench, 2, "a", "b");
            bench.putWidget("fresh", 1);

            bench.runHandlers();
            assertThat(seen).containsExactly("a", "fresh");
            settle(bench);
            assertThat(seen).containsExactly("a", "fresh", "b");
            assertThat(bench.outcomes().getLast().result()).isEqualTo(Result.DONE);
        }
    }

    @Test
    void givenParkedPrimary_whenItLeavesTheSelectionAndComesBack_thenItStaysParked() {
        try (var bench = new TaskBench((widget, context) -> Outcome.failed("hopeless"))) {
            bench.putWidget("a", 1);
            settle(bench);
            bench.leave(TaskBench.widget("a"));
            bench.putWidget("a", 1);
            settle(bench);
            assertThat(bench.outcomes()).hasSize(1);
            assertThat(bench.read(Topic.DEAD_LETTERS))
                    .as("a letter, and nothing that withdraws it")
                    .allSatisfy(message -> assertThat(message.value()).isNotNull());
            bench.delete(TaskBench.widget("a"));
            assertThat(bench.read(Topic.DEAD_LETTERS))
                    .extracting(TestRecord::value)
                    .containsOnlyNulls();
        }
    }

    @Test
    void givenPendingPrimary_whenItLeavesTheSelection_thenItRunsOnlyWhenItIsBack() {
        try (var bench = new TaskBench((widget, context) -> {
            seen.add("generation " + widget.getMetadata().getGeneration());
            return Outcome.done();
        })) {
            bench.putWidget("a", 1);
            settle(bench);
            bench.leave(TaskBench.widget("a"));
            settle(bench);
            assertThat(seen).containsExactly("generation 1");
            bench.putWidget("a", 1);
            settle(bench);
            assertThat(seen).containsExactly("generation 1", "generation 1");
        }
    }

    @Test
    void givenChild_whenItLeavesTheSelection_thenItsOwnerIsToldThatItWasNotDeleted() {
        try (var bench = new TaskBench((widget, context) -> Outcome.done())) {
            bench.putWidget("a", 1);
            bench.putConfigMap("child", "a");
            settle(bench);
            bench.leave(TaskBench.configMap("child"));
            assertThat(bench.deliverRequests())
                    .extracting(ReconcileRequest::reason)
                    .singleElement()
                    .isInstanceOfSatisfying(
                            RequestReason.SecondaryRemoved.class,
                            removed -> assertThat(removed.deleted()).isFalse());
        }
    }

    @Test
    void givenRequeue_whenFolded_thenItWaitsOnATierNotLongerThanItsDelay() {
        try (var bench = new TaskBench((widget, context) -> Outcome.requeueAfter(Duration.ofSeconds(30)))) {
            bench.putWidget("a", 1);
            settle(bench);
            assertThat(bench.read(Topic.RETRY_10S)).hasSize(1);
        }
    }

    @Test
    void givenRecordsThatCannotBeRead_whenProcessed_thenTheyArePutAsideAndWorkGoesOn() {
        try (var bench = new TaskBench((widget, context) -> Outcome.done())) {
            bench.garble(Topic.OBJECTS, TaskBench.widget("x").toString());
            bench.garble(Topic.REQUESTS, TaskBench.key("x").toString());
            bench.garble(Topic.OUTCOMES, TaskBench.key("x").toString());
            bench.garble(Topic.OUTCOMES, "others/" + TaskBench.widget("x"));
            assertThat(bench.read(Topic.DEAD_LETTERS))
                    .extracting(message -> new String(message.key(), StandardCharsets.UTF_8))
                    .containsExactly(
                            "undecodable/evenkeel.objects/0/0",
                            "undecodable/evenkeel.requests/0/0",
                            "undecodable/evenkeel.outcomes/0/0");
            bench.putWidget("a", 1);
            assertThat(bench.runHandlers()).isEqualTo(1);
        }
    }

    @Test
    void givenKeyWithTwoTickets_whenBothAreGranted_thenOnlyOneAttemptRuns() {
        try (var bench = new TaskBench(TaskBench.Plan.of((widget, context) -> {
                    seen.add(widget.getMetadata().getName());
                    return Outcome.done();
                })
                .concurrency(1))) {
            bench.putWidget("busy", 1);
            bench.putWidget("a", 1);
            bench.putConfigMap("child", "a");
            settle(bench);
            bench.putWidget("busy", 2);
            bench.putConfigMap("child", "a");
            bench.deliverRequests();
            bench.putWidget("a", 2);
            seen.clear();

            while (bench.runHandlers() > 0) {
                bench.pass(Duration.ofMillis(1)); // permits that were granted meanwhile are used
                bench.deliverOutcomes();
            }

            assertThat(seen).containsOnlyOnce("a", "busy");
        }
    }

    @Test
    void givenOwnWriteThatTheLogDoesNotShowYet_whenTheKeyRunsAgain_thenItReadsIt() {
        try (var cluster = WidgetCluster.start();
                var bench =
                        new TaskBench(TaskBench.Plan.of(this::applyChildOnce).api(cluster.api()))) {
            cluster.create("a");
            put(cluster, bench);
            bench.runHandlers();
            bench.deliverOutcomes();
            // Whatever happened to it since, the controller must see what it wrote before it sees that.
            cluster.delete(cluster.configMap("child").orElseThrow());
            cluster.resize("a", 2);
            put(cluster, bench);
            bench.runHandlers();

            assertThat(seen).containsExactly("sees 0", "sees 1");
        }
    }

    @Test
    void givenOwnWriteThatTheLogDoesNotShowForLong_whenTheKeyRunsAgain_thenItIsReadFromTheServer() {
        try (var cluster = WidgetCluster.start();
                var bench =
                        new TaskBench(TaskBench.Plan.of(this::applyChildOnce).api(cluster.api()))) {
            cluster.create("a");
            put(cluster, bench);
            bench.runHandlers();
            bench.deliverOutcomes();
            bench.pass(Duration.ofSeconds(31));
            cluster.resize("a", 2);
            put(cluster, bench);
            bench.runHandlers();
            bench.deliverOutcomes();
            cluster.delete(cluster.configMap("child").orElseThrow());
            cluster.resize("a", 3);
            put(cluster, bench);
            bench.runHandlers();

            assertThat(seen).containsExactly("sees 0", "sees 1", "sees 0");
        }
    }

    private Outcome applyChildOnce(Widget widget, Context<Widget> context) {
        int children = context.secondaries(ConfigMap.class).size();
        seen.add("sees " + children);
        if (children == 0) {
            context.apply(new ConfigMapBuilder()
                    .withNewMetadata()
                    .withName("child")
                    .endMetadata()
                    .build());
        }
        return Outcome.done();
    }

    @Test
    void givenDeletionOfAChild_whenItsRecordComesOnceMore_thenItsOwnerIsToldOnceMore() {
        try (var bench = new TaskBench((widget, context) -> Outcome.done())) {
            bench.putWidget("a", 1);
            bench.putConfigMap("child", "a");
            settle(bench);
            bench.delete(TaskBench.configMap("child"));
            assertThat(reasons(bench)).containsExactly("SecondaryRemoved a");
            settle(bench);

            bench.repeatObject();

            assertThat(reasons(bench)).containsExactly("SecondaryRemoved a");
            assertThat(bench.runHandlers()).as("the owner knows it already").isZero();
        }
    }

    @Test
    void givenRequestsOfAChild_whenTheOlderComesLast_thenTheNewerStays() {
        try (var bench = new TaskBench((widget, context) -> {
            seen.add(context.secondary(ConfigMap.class)
                    .map(child -> child.getMetadata().getResourceVersion())
                    .orElse("none"));
            return Outcome.done();
        })) {
            bench.putConfigMap("child", "a");
            bench.putConfigMap("child", "a");
            bench.deliver(bench.read(Topic.REQUESTS).reversed());
            bench.putWidget("a", 1);
            settle(bench);

            assertThat(seen).containsExactly("102");
        }
    }

    @Test
    void givenWidgetAndChildThatAreGone_whenHalfAnHourHasPassed_thenNothingIsKeptOfThem() {
        try (var bench = new TaskBench((widget, context) -> Outcome.done())) {
            bench.putWidget("a", 1);
            bench.putConfigMap("child", "a");
            settle(bench);
            bench.delete(TaskBench.configMap("child"));
            bench.delete(TaskBench.widget("a"));
            settle(bench);

            bench.pass(Duration.ofMinutes(29));
            assertThat(bench.keeps(TaskBench.widget("a")))
                    .as("kept against repetition")
                    .isTrue();
            assertThat(bench.keeps(TaskBench.configMap("child"))).isTrue();
            bench.pass(Duration.ofMinutes(2));
            assertThat(bench.keeps(TaskBench.widget("a"))).isFalse();
            assertThat(bench.keeps(TaskBench.configMap("child"))).isFalse();
        }
    }

    @Test
    void givenWidgetThatCameBack_whenHalfAnHourHasPassed_thenItsWorkIsStillKnown() {
        try (var bench = new TaskBench((widget, context) -> Outcome.done())) {
            bench.putWidget("a", 1);
            settle(bench);
            bench.delete(TaskBench.widget("a"));
            bench.putWidget("a", 1);
            settle(bench);
            bench.pass(Duration.ofMinutes(31));

            assertThat(bench.keeps(TaskBench.widget("a"))).isTrue();
        }
    }

    @Test
    void givenParkedWidget_whenItIsDeleted_thenItsLetterIsWithdrawn() {
        try (var bench = new TaskBench((widget, context) -> Outcome.failed("hopeless"))) {
            bench.putWidget("a", 1);
            settle(bench);
            assertThat(bench.read(Topic.DEAD_LETTERS)).hasSize(1);
            assertThat(bench.around.parked).containsExactly("a");

            bench.delete(TaskBench.widget("a"));

            assertThat(bench.read(Topic.DEAD_LETTERS))
                    .singleElement()
                    .satisfies(message -> assertThat(message.value()).isNull());
        }
    }

    private static void put(WidgetCluster cluster, TaskBench bench) {
        Widget newest = cluster.widget("a").orElseThrow();
        bench.put(newest, cluster.json(newest));
    }

    private static void retry(TaskBench bench, int attempt, String... widgets) {
        for (String widget : widgets) {
            bench.retry(widget, attempt);
        }
    }

    private static void settle(TaskBench bench) {
        bench.deliverRequests();
        bench.deliverOutcomes();
        while (bench.runHandlers() > 0) {
            bench.deliverOutcomes();
        }
    }

    private static List<String> reasons(TaskBench bench) {
        return bench.deliverRequests().stream()
                .map(PartitionProcessorTest::reason)
                .toList();
    }

    private static String reason(ReconcileRequest request) {
        String type = request.reason().getClass().getSimpleName() + " ";
        return type + request.key().primary().name();
    }
}
