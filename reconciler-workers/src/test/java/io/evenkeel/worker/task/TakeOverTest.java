package io.evenkeel.worker.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.evenkeel.api.json.Json;
import io.evenkeel.api.record.AttemptOutcome;
import io.evenkeel.api.record.AttemptOutcome.Result;
import io.evenkeel.api.record.RetryEntry;
import io.evenkeel.api.topic.Topic;
import io.evenkeel.reconciler.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** A process dies, and another takes its partition over with the stores as it left them. */
class TakeOverTest {
    private static final Duration TICK = Duration.ofMillis(100);

    private final List<String> seen = new CopyOnWriteArrayList<>();

    @Test
    void givenAttemptWithoutAnOutcome_whenOutcomesWereReadToTheirEnd_thenItCountsAsLost() {
        try (var dead = new TaskBench((widget, context) -> Outcome.done())) {
            dead.putWidget("a", 1);
            try (TaskBench next = dead.successor()) {
                next.pass(TICK);

                assertThat(next.outcomes()).singleElement().satisfies(outcome -> {
                    assertThat(outcome.result()).isEqualTo(Result.WORKER_LOST);
                    assertThat(outcome.attempt()).isEqualTo(1);
                    assertThat(outcome.due()).isPresent();
                });
                next.deliverOutcomes();
                assertThat(next.read(Topic.RETRY_100MS))
                        .singleElement()
                        .satisfies(message -> assertThat(Json.read(message.value(), RetryEntry.class)
                                        .attempt())
                                .isEqualTo(1));
                next.pass(TICK);
                assertThat(next.outcomes()).as("lost once").hasSize(1);
            }
            dead.runHandlers();
        }
    }

    @Test
    void givenOutcomeThatTheDeadLeftOnTheTopic_whenItIsRead_thenItsAttemptIsNotLost() {
        try (var dead = new TaskBench((widget, context) -> Outcome.done())) {
            dead.putWidget("a", 1);
            try (TaskBench next = dead.successor()) {
                next.around.outcomes = new TakeOver.Bounds(0, 1);
                next.pass(TICK);
                assertThat(next.outcomes()).as("what it left was not read yet").isEmpty();

                dead.runHandlers();
                dead.handOutcomesTo(next);
                next.pass(TICK);

                assertThat(next.outcomes()).isEmpty();
                assertThat(next.runHandlers()).as("the work was done").isZero();
            }
        }
    }

    @Test
    void givenKeyThatWaitedForAPermit_whenAnotherTakesOver_thenItRuns() {
        try (var dead = new TaskBench(TaskBench.Plan.of((widget, context) -> {
                    seen.add(widget.getMetadata().getName());
                    return Outcome.done();
                })
                .concurrency(1))) {
            dead.putWidget("running", 1);
            dead.putWidget("waiting", 1);
            try (TaskBench next = dead.successor()) {
                next.pass(TICK);
                next.runHandlers();

                assertThat(seen).containsExactly("waiting");
            }
            dead.runHandlers();
        }
    }

    @Test
    void givenKeysThatWaitOrAreParked_whenAnotherTakesOver_thenTheirRecordsAreRepeatedButAreNoNews() {
        try (var dead = new TaskBench((widget, context) ->
                widget.getMetadata().getName().equals("bad") ? Outcome.failed("hopeless") : Outcome.retry("not yet"))) {
            dead.putWidget("bad", 1);
            dead.putWidget("shaky", 1);
            dead.runHandlers();
            dead.deliverOutcomes();
            RetryEntry written = retry(dead);
            try (TaskBench next = dead.successor()) {
                next.pass(TICK);

                assertThat(retry(next)).isEqualTo(written);
                assertThat(next.read(Topic.DEAD_LETTERS))
                        .singleElement()
                        .satisfies(message -> assertThat(message.value()).isNotNull());
                assertThat(next.around.parked).as("people were told").isEmpty();
                assertThat(next.runHandlers()).isZero();
            }
        }
    }

    @Test
    void givenAProcessThatDied_whenAnotherTakesOver_thenAttemptsBeginOnceTheirStartIsOnTheLog() {
        try (var dead = new TaskBench((widget, context) -> Outcome.done());
                TaskBench next = dead.successor()) {
            assertThat(next.beginsUnconfirmed("a")).isFalse();
            next.around.acknowledged.complete(true);
            assertThat(next.runHandlers()).isEqualTo(1);
            next.deliverOutcomes();

            next.pass(Duration.ofSeconds(61));
            assertThat(next.beginsUnconfirmed("b")).as("a minute later").isTrue();
        }
    }

    /** Or the next owner would not know that a process died here, and the one after it neither. */
    @Test
    void givenANewOwner_whenItsNoteIsNotOnTheLogYet_thenNoAttemptBegins() {
        var around = new TaskBench.Surroundings();
        around.acknowledged = new CompletableFuture<>();
        try (var first = new TaskBench(TaskBench.Plan.of((widget, context) -> Outcome.done()), around)) {
            first.putWidget("a", 1);
            assertThat(first.runHandlers()).isZero();

            around.acknowledged.complete(true);

            assertThat(first.runHandlers()).isEqualTo(1);
        }
    }

    @Test
    void givenAStartThatTheBrokersRefuse_whenSuspected_thenTheAttemptDoesNotBeginAndItsPermitIsFree() {
        try (var dead = new TaskBench(
                        TaskBench.Plan.of((widget, context) -> Outcome.done()).concurrency(1));
                TaskBench next = dead.successor()) {
            assertThat(next.beginsUnconfirmed("a")).isFalse();
            next.around.acknowledged.completeExceptionally(new IllegalStateException("refused"));
            next.around.acknowledged = CompletableFuture.completedFuture(true);
            next.putWidget("b", 1);

            assertThat(next.runHandlers()).isEqualTo(1);
            assertThat(next.outcomes())
                    .extracting(AttemptOutcome::primary)
                    .containsExactly(TaskBench.widget("b").toString());
        }
    }

    @Test
    void givenAPartitionThatWasGivenUpInOrder_whenAnotherTakesOver_thenNothingIsConfirmed() {
        var first = new TaskBench((widget, context) -> Outcome.done());
        first.pass(TICK);
        first.close();
        try (TaskBench next = first.successor()) {
            assertThat(next.beginsUnconfirmed("a")).isTrue();
        }
    }

    @Test
    void givenAPartitionThatIsGivenUpAtOnce_whenNothingHappenedYet_thenItClosesInOrder() {
        var brief = new TaskBench((widget, context) -> Outcome.done());

        assertThatCode(brief::close).doesNotThrowAnyException();
    }

    /** Its note would take the place of the new owner's. */
    @Test
    void givenAPartitionThatWasLost_whenTheFormerOwnerCloses_thenItDoesNotGiveUpForTheNewOne() {
        var lost = new TaskBench((widget, context) -> Outcome.done());
        lost.pass(TICK);
        lost.around.member = false;
        lost.close();
        try (TaskBench next = lost.successor()) {
            assertThat(next.beginsUnconfirmed("a")).isFalse();
            next.around.acknowledged.complete(true);
            next.runHandlers();
        }
    }

    private static RetryEntry retry(TaskBench bench) {
        return Json.read(bench.read(Topic.RETRY_100MS).getFirst().value(), RetryEntry.class);
    }
}
