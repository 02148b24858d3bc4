package io.evenkeel.worker.ledger;

import io.evenkeel.api.record.AttemptOutcome;
import io.evenkeel.api.record.DeadLetter.Reason;
import io.evenkeel.worker.ledger.KeyState.Idle;
import io.evenkeel.worker.ledger.KeyState.Kind;
import io.evenkeel.worker.ledger.KeyState.Parked;
import io.evenkeel.worker.ledger.KeyState.Running;
import io.evenkeel.worker.ledger.KeyState.Waiting;
import io.evenkeel.worker.ledger.Primary.Present;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;

/** The part of {@link Fold} that concludes an attempt. */
final class Conclusion {
    private final Duration minimumInterval;

    Conclusion(Duration minimumInterval) {
        this.minimumInterval = minimumInterval;
    }

    Step fold(LedgerEntry before, Input.Finished finished) {
        AttemptOutcome outcome = finished.outcome();
        // A crash may have lost the ledger but not the letter; and then the topics are read in another order, so that
        // this
        // outcome parks nothing. The letter must be withdrawn all the same.
        LedgerEntry entry = parks(outcome) ? before.lettered(true) : before;
        if (!(entry.state() instanceof Running running) || !running.attemptId().equals(outcome.attemptId())) {
            return late(before, entry);
        }
        if (entry.primary() instanceof Primary.Left) {
            return unseen(entry, outcome);
        }
        if (!(entry.primary() instanceof Present(Sighting primary))) {
            return Fold.forget(entry);
        }
        Seen seen = running.seen().withoutWritesOf(outcome.writes());
        LedgerEntry told = OutcomeWrites.remember(entry, primary, outcome, running.seen());
        boolean newer = finished.behind() || !seen.isNothing();
        return switch (outcome.result()) {
            case DONE, WAITING -> settled(told, newer, seen, outcome);
            case REQUEUE -> requeued(told, newer, seen, outcome);
            case INTERRUPTED ->
                Fold.pend(
                        seen.hasSpecChange() ? told.with(Failures.NONE) : told,
                        seen.lane(),
                        Fold.joined(running.causes(), seen.causes()));
            case DEFERRED -> deferred(told, seen, outcome);
            case FAILED, WORKER_LOST, FAILED_FOR_GOOD -> failed(told, seen, newer, outcome);
        };
    }

    private static boolean parks(AttemptOutcome outcome) {
        return switch (outcome.result()) {
            case FAILED_FOR_GOOD -> true;
            case FAILED, WORKER_LOST -> outcome.due().isEmpty();
            case DONE, WAITING, REQUEUE, DEFERRED, INTERRUPTED -> false;
        };
    }

    /** Another attempt, or none, is the current one. */
    private static Step late(LedgerEntry before, LedgerEntry lettered) {
        return before.letter() || !lettered.letter() ? Step.of(before) : Step.of(lettered, new Effect.Unpark());
    }

    /** The primary left meanwhile: what the attempt came to counts, but no other follows. */
    private static Step unseen(LedgerEntry entry, AttemptOutcome outcome) {
        return switch (outcome.result()) {
            case DONE, WAITING, REQUEUE -> {
                Step step = Fold.rest(entry.with(Failures.NONE).lettered(false));
                yield entry.letter() ? step.and(new Effect.Unpark()) : step;
            }
            case INTERRUPTED, DEFERRED -> Fold.rest(entry);
            case FAILED, WORKER_LOST ->
                outcome.due().isPresent()
                        ? Fold.rest(entry.with(entry.failures().with(outcome)))
                        : park(
                                entry.with(entry.failures().with(outcome)),
                                Reason.OUT_OF_ATTEMPTS,
                                outcome.finishedAt());
            case FAILED_FOR_GOOD ->
                park(entry.with(entry.failures().with(outcome)), Reason.TERMINAL_ERROR, outcome.finishedAt());
        };
    }

    private static Step settled(LedgerEntry entry, boolean newer, Seen seen, AttemptOutcome outcome) {
        if (newer) {
            return healed(entry, healthy -> Fold.pend(healthy, seen.lane(), seen.causes()));
        }
        return outcome.due()
                .map(due -> new Waiting(Kind.RESYNC, due, outcome.finishedAt(), outcome.reason()))
                .map(waiting -> healed(entry, healthy -> until(healthy, waiting)))
                .orElseGet(() -> healed(entry, healthy -> Step.of(healthy.to(new Idle()))));
    }

    private static Step requeued(LedgerEntry entry, boolean newer, Seen seen, AttemptOutcome outcome) {
        if (newer || outcome.due().isEmpty()) {
            return settled(entry, true, seen, outcome);
        }
        var waiting = new Waiting(Kind.REQUEUE, outcome.due().get(), outcome.finishedAt(), outcome.reason());
        return healed(entry, healthy -> until(healthy, waiting));
    }

    /** What failed before is forgiven, and a letter about it is withdrawn. */
    private static Step healed(LedgerEntry entry, Function<LedgerEntry, Step> then) {
        Step step = then.apply(entry.with(Failures.NONE).lettered(false));
        return entry.letter() ? step.and(new Effect.Unpark()) : step;
    }

    private static Step until(LedgerEntry entry, Waiting waiting) {
        return Step.of(entry.to(waiting), Fold.schedule(waiting, entry.failures()));
    }

    /** Nothing was wrong with the key: it waits, and its count is as it was. */
    private static Step deferred(LedgerEntry entry, Seen seen, AttemptOutcome outcome) {
        if (seen.hasSpecChange()) {
            return Fold.pend(entry.with(Failures.NONE), seen.lane(), seen.causes());
        }
        Instant due = outcome.due().orElse(outcome.finishedAt());
        return until(entry, new Waiting(Kind.RETRY, due, outcome.finishedAt(), outcome.reason()));
    }

    private Step failed(LedgerEntry entry, Seen seen, boolean newer, AttemptOutcome outcome) {
        if (seen.hasSpecChange()) {
            return Fold.withUnpark(Fold.pend(entry.with(Failures.NONE), seen.lane(), seen.causes()));
        }
        Failures failures = entry.failures().with(outcome);
        LedgerEntry counted = entry.with(failures);
        if (outcome.result() == AttemptOutcome.Result.FAILED_FOR_GOOD) {
            return park(counted, Reason.TERMINAL_ERROR, outcome.finishedAt());
        }
        if (outcome.due().isEmpty()) {
            return park(counted, Reason.OUT_OF_ATTEMPTS, outcome.finishedAt());
        }
        Instant earliest = outcome.finishedAt().plus(minimumInterval);
        Instant planned = outcome.due().get();
        Instant due = newer && earliest.isBefore(planned) ? earliest : planned;
        var waiting = new Waiting(
                Kind.RETRY, due, outcome.finishedAt(), failures.last().message());
        return Step.of(counted.to(waiting), Fold.schedule(waiting, failures));
    }

    private static Step park(LedgerEntry entry, Reason reason, Instant at) {
        return Step.of(entry.to(new Parked(reason, at)).lettered(true), new Effect.Park(reason, at, true));
    }
}
