package io.evenkeel.worker.ledger;

import static io.evenkeel.worker.ledger.Ledgers.CHILD;
import static io.evenkeel.worker.ledger.Ledgers.KEY;
import static io.evenkeel.worker.ledger.Ledgers.NOW;
import static io.evenkeel.worker.ledger.Ledgers.cause;
import static io.evenkeel.worker.ledger.Ledgers.changed;
import static io.evenkeel.worker.ledger.Ledgers.child;
import static io.evenkeel.worker.ledger.Ledgers.failures;
import static io.evenkeel.worker.ledger.Ledgers.finished;
import static io.evenkeel.worker.ledger.Ledgers.outcome;
import static io.evenkeel.worker.ledger.Ledgers.parked;
import static io.evenkeel.worker.ledger.Ledgers.pending;
import static io.evenkeel.worker.ledger.Ledgers.present;
import static io.evenkeel.worker.ledger.Ledgers.retry;
import static io.evenkeel.worker.ledger.Ledgers.running;
import static io.evenkeel.worker.ledger.Ledgers.write;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.record.AttemptOutcome.Result;
import io.evenkeel.worker.ledger.KeyState.Idle;
import io.evenkeel.worker.ledger.KeyState.Pending;
import io.evenkeel.worker.ledger.KeyState.Waiting;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FoldTest {
    private static final Fold FOLD = new Fold(Duration.ofSeconds(1));

    @Test
    void givenPrimaryThatLeftWithFailures_whenItComesBackWithTheSameSpec_thenTheyStillCount() {
        LedgerEntry failing = present(retry()).with(failures(2));
        LedgerEntry left = FOLD.fold(failing, new Input.PrimaryLeft("uid")).entry();
        LedgerEntry back = FOLD.fold(left, changed(10, 1)).entry();
        assertThat(back.state()).isInstanceOf(KeyState.Pending.class);
        assertThat(back.failures().count()).isEqualTo(2);
        assertThat(FOLD.fold(left, changed(11, 2)).entry().failures()).isEqualTo(Failures.NONE);
    }

    @Test
    void givenAttemptWhosePrimaryLeft_whenItEnds_thenItsResultCountsAndNothingFollows() {
        LedgerEntry left = FOLD.fold(present(running()).with(failures(1)), new Input.PrimaryLeft("uid"))
                .entry();
        LedgerEntry failed = FOLD.fold(left, finished(Result.FAILED)).entry();
        assertThat(failed.state()).isEqualTo(new KeyState.Idle());
        assertThat(failed.failures().count()).isEqualTo(2);
        assertThat(FOLD.fold(left, finished(Result.FAILED_FOR_GOOD)).effects())
                .singleElement()
                .isInstanceOf(Effect.Park.class);
        assertThat(FOLD.fold(left, finished(Result.DONE)).entry().failures()).isEqualTo(Failures.NONE);
    }

    @Test
    void givenParkedPrimaryThatLeft_whenRedriven_thenItsLetterStays() {
        LedgerEntry left = FOLD.fold(present(parked()).with(failures(1)).lettered(true), new Input.PrimaryLeft("uid"))
                .entry();
        Step step = FOLD.fold(left, new Input.Redriven(cause("REDRIVE")));
        assertThat(step.entry()).isEqualTo(left);
        assertThat(step.effects()).singleElement().isInstanceOf(Effect.Park.class);
    }

    @Test
    void givenATimetable_whenTheAttemptEndsWell_thenTheKeyWaitsForItsTimeAndAnyChangeComesFirst() {
        var due = NOW.plusSeconds(600);
        var done = new Input.Finished(outcome(Result.DONE, Optional.of(due)), false);
        Step step = FOLD.fold(present(running()).with(failures(2)).lettered(true), done);
        assertThat(step.entry().state()).isEqualTo(new Waiting(KeyState.Kind.RESYNC, due, NOW, ""));
        assertThat(step.entry().failures()).isEqualTo(Failures.NONE);
        assertThat(step.effects())
                .containsExactly(new Effect.Schedule(KeyState.Kind.RESYNC, 0, due, ""), new Effect.Unpark());
        LedgerEntry changed = FOLD.fold(present(running()), changed(11, 2)).entry();
        assertThat(FOLD.fold(changed, done).entry().state()).isInstanceOf(Pending.class);
    }

    @Test
    void givenNewSpecDuringAttempt_whenItIsPutOff_thenTheKeyRunsAtOnceAndItsCountStartsAnew() {
        LedgerEntry behind =
                FOLD.fold(present(running()).with(failures(4)), changed(11, 2)).entry();
        LedgerEntry after = FOLD.fold(behind, finished(Result.DEFERRED)).entry();
        assertThat(after.state()).isInstanceOf(Pending.class);
        assertThat(after.failures()).isEqualTo(Failures.NONE);
    }

    @Test
    void givenFoldedOffset_whenItComesAgain_thenOnlyEffectsOfTheStateAreRepeated() {
        LedgerEntry waiting = present(retry()).with(failures(2)).at(new Positions(7, 7, 7));
        Step step = FOLD.fold(waiting, Source.OBJECTS, 7, changed(11, 2));
        assertThat(step.entry()).isEqualTo(waiting);
        assertThat(step.effects())
                .containsExactly(new Effect.Schedule(KeyState.Kind.RETRY, 2, NOW.plusSeconds(60), "broken"));
    }

    @Test
    void givenParked_whenFoldedOffsetComesAgain_thenLetterIsWrittenAgainButIsNoNews() {
        Step step = FOLD.fold(present(parked()).at(new Positions(7, 7, 7)), Source.REQUESTS, 3, child(5, NOW));
        assertThat(step.effects())
                .containsExactly(new Effect.Park(io.evenkeel.api.record.DeadLetter.Reason.OUT_OF_ATTEMPTS, NOW, false));
    }

    @Test
    void givenStatusWritten_whenItsEventComesAfterTheOutcome_thenNothingRuns() {
        var finished = new Input.Finished(outcome(Result.DONE, Optional.empty(), write(KEY, 12)), false);
        LedgerEntry idle = FOLD.fold(present(running()), finished).entry();
        assertThat(idle.ownWrites()).containsExactly(new OwnWrite(KEY, "12"));
        Step step = FOLD.fold(idle, changed(12, 1));
        assertThat(step.entry().state()).isEqualTo(new Idle());
        assertThat(step.entry().ownWrites()).isEmpty();
    }

    @Test
    void givenStatusWritten_whenItsEventComesBeforeTheOutcome_thenNothingRuns() {
        LedgerEntry behind = FOLD.fold(present(running()), changed(12, 1)).entry();
        var finished = new Input.Finished(outcome(Result.DONE, Optional.empty(), write(KEY, 12)), false);
        Step step = FOLD.fold(behind, finished);
        assertThat(step.entry().state()).isEqualTo(new Idle());
        assertThat(step.entry().ownWrites()).isEmpty();
    }

    @Test
    void givenForeignChangeBetweenOwnWrites_whenAttemptFinishes_thenItRunsAgain() {
        LedgerEntry first = FOLD.fold(present(running()), changed(11, 2)).entry();
        LedgerEntry both = FOLD.fold(first, changed(12, 2)).entry();
        var finished = new Input.Finished(outcome(Result.DONE, Optional.empty(), write(KEY, 12)), false);
        assertThat(FOLD.fold(both, finished).entry().state())
                .isEqualTo(new Pending(Lane.URGENT, List.of(cause("CHANGED"))));
    }

    @Test
    void givenOwnVersionSeenAfterAGap_whenItsGenerationIsNew_thenItRuns() {
        var finished = new Input.Finished(outcome(Result.DONE, Optional.empty(), write(KEY, 12)), false);
        LedgerEntry idle = FOLD.fold(present(running()), finished).entry();
        assertThat(FOLD.fold(idle, changed(12, 2)).entry().state()).isInstanceOf(Pending.class);
    }

    @Test
    void givenOwnVersionFoundByARelist_whenFolded_thenItRuns() {
        var finished = new Input.Finished(outcome(Result.DONE, Optional.empty(), write(KEY, 12)), false);
        LedgerEntry idle = FOLD.fold(present(running()), finished).entry();
        var relisted =
                new Input.PrimaryChanged(KEY, Ledgers.sighting(12, 1), false, false, false, true, cause("RELIST"));
        assertThat(FOLD.fold(idle, relisted).entry().state()).isInstanceOf(Pending.class);
    }

    @Test
    void givenOwnVersionFoundByARelistWhileTheAttemptRuns_whenItFinishes_thenItRunsAgain() {
        var relisted = new Input.SecondaryChanged(CHILD, "20", false, false, true, cause("RELIST"));
        LedgerEntry seen = FOLD.fold(present(running()), relisted).entry();
        var finished = new Input.Finished(outcome(Result.DONE, Optional.empty(), write(CHILD, 20)), false);
        assertThat(FOLD.fold(seen, finished).entry().state()).isInstanceOf(Pending.class);
    }

    @Test
    void givenNewSpecDuringAttempt_whenItIsInterrupted_thenCountStartsAnew() {
        LedgerEntry behind =
                FOLD.fold(present(running()).with(failures(4)), changed(11, 2)).entry();
        assertThat(FOLD.fold(behind, Ledgers.finished(Result.INTERRUPTED))
                        .entry()
                        .failures())
                .isEqualTo(Failures.NONE);
    }

    @Test
    void givenChildApplied_whenItsEventComesOnEitherSide_thenNothingRuns() {
        var finished = new Input.Finished(outcome(Result.DONE, Optional.empty(), write(CHILD, 20)), false);
        LedgerEntry before = FOLD.fold(present(running()), child(20, NOW)).entry();
        assertThat(FOLD.fold(before, finished).entry().state()).isEqualTo(new Idle());
        LedgerEntry after = FOLD.fold(present(running()), finished).entry();
        Step step = FOLD.fold(after, child(20, NOW));
        assertThat(step.entry().state()).isEqualTo(new Idle());
        assertThat(step.entry().applied()).containsExactly(new Applied(CHILD, "child", "hash"));
    }

    @Test
    void givenMetAConflict_whenAttemptFinishes_thenItRunsAgain() {
        Step step = FOLD.fold(present(running()), new Input.Finished(outcome(Result.DONE, Optional.empty()), true));
        assertThat(step.entry().state()).isInstanceOf(Pending.class);
    }

    @Test
    void givenNewSpecDuringAttempt_whenItFails_thenCountStartsAnew() {
        LedgerEntry behind =
                FOLD.fold(present(running()).with(failures(4)), changed(11, 2)).entry();
        Step step = FOLD.fold(behind, new Input.Finished(outcome(Result.FAILED, Optional.empty()), false));
        assertThat(step.entry().state()).isInstanceOf(Pending.class);
        assertThat(step.entry().failures()).isEqualTo(Failures.NONE);
    }

    @Test
    void givenChildChangeDuringAttempt_whenItFails_thenItRunsAfterTheMinimumInterval() {
        LedgerEntry behind = FOLD.fold(present(running()), child(5, NOW)).entry();
        Step step =
                FOLD.fold(behind, new Input.Finished(outcome(Result.FAILED, Optional.of(NOW.plusSeconds(60))), false));
        assertThat(step.entry().state()).isEqualTo(new Waiting(KeyState.Kind.RETRY, NOW.plusSeconds(1), NOW, "broken"));
        assertThat(step.entry().failures().count()).isEqualTo(1);
    }

    @Test
    void givenOutcomeOfAnotherAttempt_whenFolded_thenCurrentOneGoesOn() {
        KeyState.Running other = new KeyState.Running("other", Ledgers.sighting(10, 1), NOW, List.of(), Seen.NOTHING);
        Step step = FOLD.fold(present(other), new Input.Finished(outcome(Result.DONE, Optional.empty()), false));
        assertThat(step.entry().state()).isEqualTo(other);
    }

    @Test
    void givenNewLifeUnderTheSameName_whenFolded_thenNothingOfTheFormerOneHolds() {
        LedgerEntry before = present(pending(Lane.NORMAL))
                .with(failures(4))
                .expecting(List.of(new OwnWrite(KEY, "12")))
                .having(List.of(new Applied(CHILD, "child", "hash")));
        var reborn = new Input.PrimaryChanged(
                KEY, new Sighting("other", "12", 1, false, 1), false, false, true, true, cause("REBORN"));
        LedgerEntry after = FOLD.fold(before, reborn).entry();
        assertThat(after.state()).isInstanceOf(Pending.class);
        assertThat(after.failures()).isEqualTo(Failures.NONE);
        assertThat(after.ownWrites()).isEmpty();
        assertThat(after.applied()).isEmpty();
    }

    @Test
    void givenFormerLife_whenItsEndComesLate_thenTheNewOneStays() {
        LedgerEntry entry = present(pending(Lane.NORMAL));
        assertThat(FOLD.fold(entry, new Input.PrimaryRemoved("former")).entry()).isEqualTo(entry);
    }

    @Test
    void givenDeletedWhileRunning_whenItFinishes_thenKeyIsForgotten() {
        LedgerEntry gone =
                FOLD.fold(present(running()), new Input.PrimaryRemoved("uid")).entry();
        Step step = FOLD.fold(gone, finished(Result.FAILED));
        assertThat(step.entry().state()).isEqualTo(new Idle());
        assertThat(step.effects()).containsExactly(new Effect.Forget());
    }

    @Test
    void givenALetterThatACrashMayHaveLeft_whenItsOutcomeParksNothingThisTime_thenItIsWithdrawn() {
        var last = new Input.Finished(outcome(Result.FAILED, Optional.empty()), false);
        LedgerEntry gone =
                FOLD.fold(present(running()), new Input.PrimaryRemoved("uid")).entry();
        assertThat(FOLD.fold(gone, last).effects()).containsExactly(new Effect.Unpark(), new Effect.Forget());
        LedgerEntry newSpec = FOLD.fold(present(running()), changed(11, 2)).entry();
        assertThat(FOLD.fold(newSpec, last).effects()).contains(new Effect.Unpark());
        assertThat(FOLD.fold(present(pending(Lane.NORMAL)), last).effects()).containsExactly(new Effect.Unpark());
        assertThat(FOLD.fold(present(parked()).lettered(true), last).effects()).isEmpty();
    }

    @Test
    void givenFloodDuringAttempt_whenSpecChangesToo_thenItIsNotLost() {
        LedgerEntry entry = present(running());
        for (int version = 20; version < 80; version++) {
            entry = FOLD.fold(entry, child(version, NOW)).entry();
        }
        entry = FOLD.fold(entry, changed(99, 2)).entry();
        Step step = FOLD.fold(entry, new Input.Finished(outcome(Result.DONE, Optional.empty()), false));
        assertThat(step.entry().state())
                .isInstanceOfSatisfying(
                        Pending.class, pending -> assertThat(pending.lane()).isEqualTo(Lane.URGENT));
    }

    @Test
    void givenNewSpecBeforeTheHandlerBegan_whenTheAttemptIsGivenIt_thenCountStartsAnew() {
        LedgerEntry behind =
                FOLD.fold(present(running()).with(failures(4)), changed(11, 2)).entry();
        LedgerEntry refreshed = FOLD.fold(behind, new Input.Refreshed()).entry();
        assertThat(refreshed.failures()).isEqualTo(Failures.NONE);
        assertThat(refreshed.state())
                .isInstanceOfSatisfying(
                        KeyState.Running.class,
                        running ->
                                assertThat(running.handled().resourceVersion()).isEqualTo("11"));
    }

    @Test
    void givenKindWithoutGeneration_whenItsContentChanges_thenItIsANewSpec() {
        LedgerEntry without =
                present(retry()).with(failures(2)).with(new Primary.Present(new Sighting("uid", "10", -1, false, 1)));
        assertThat(FOLD.fold(without, shown(new Sighting("uid", "11", -1, false, 1), true))
                        .entry()
                        .failures())
                .isEqualTo(Failures.NONE);
        assertThat(FOLD.fold(without, shown(new Sighting("uid", "11", -1, false, 1), false))
                        .entry()
                        .failures()
                        .count())
                .isEqualTo(2);
    }

    @Test
    void givenParked_whenItsDeletionIsAskedFor_thenItIsUrgent() {
        Step step = FOLD.fold(present(parked()).lettered(true), shown(new Sighting("uid", "11", 1, true, 1), false));
        assertThat(step.effects()).containsExactly(new Effect.Enqueue(Lane.URGENT), new Effect.Unpark());
    }

    /** The tombstone that was written when the key left its letter may have been lost in a crash. */
    @ParameterizedTest
    @EnumSource(
            value = Result.class,
            names = {"DONE", "WAITING", "REQUEUE"})
    void givenLetterThatMayBeThere_whenTheKeyHeals_thenItsTombstoneIsWrittenOnceMore(Result healed) {
        LedgerEntry lettered = present(running()).with(failures(5)).lettered(true);
        Step step = FOLD.fold(lettered, Ledgers.finished(healed));
        assertThat(step.effects()).contains(new Effect.Unpark());
        assertThat(step.entry().letter()).isFalse();
        assertThat(FOLD.fold(step.entry(), changed(12, 1)).effects()).doesNotContain(new Effect.Unpark());
    }

    @Test
    void givenLetterThatMayBeThere_whenAFoldedOffsetComesAgain_thenItsTombstoneIsRepeated() {
        LedgerEntry lettered = present(pending(Lane.NORMAL)).lettered(true).at(new Positions(7, 7, 7));
        assertThat(FOLD.fold(lettered, Source.OBJECTS, 7, changed(11, 2)).effects())
                .containsExactly(new Effect.Unpark());
    }

    private static Input shown(Sighting sighting, boolean content) {
        return new Input.PrimaryChanged(KEY, sighting, content, false, true, true, cause("CHANGED"));
    }
}
