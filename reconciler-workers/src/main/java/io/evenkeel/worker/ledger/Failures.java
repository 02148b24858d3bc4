package io.evenkeel.worker.ledger;

import io.evenkeel.api.record.AttemptOutcome;
import io.evenkeel.api.record.DeadLetter.FailedAttempt;
import io.evenkeel.api.record.Failure;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The failed attempts since the last success or spec change.
 *
 * @param count how many
 * @param firstAt when the first one ended; the epoch if there is none
 * @param last the newest error; empty texts if there is none
 * @param history the newest {@value #KEPT}, oldest first, with shortened messages
 */
public record Failures(int count, Instant firstAt, Failure last, List<FailedAttempt> history) {
    /** No failure. */
    public static final Failures NONE = new Failures(0, Instant.EPOCH, new Failure("", "", ""), List.of());

    private static final int KEPT = 20;
    private static final int LONGEST = 256;
    private static final int LOSSES = 2;

    /** Takes a copy of the list. */
    public Failures {
        history = List.copyOf(history);
    }

    /**
     * Whether the last {@value #LOSSES} attempts were lost with their worker, which this key may have killed. One loss says
     * nothing: a process that dies loses all that it has in hand.
     */
    public boolean isSuspect() {
        return history.size() >= LOSSES
                && history.subList(history.size() - LOSSES, history.size()).stream()
                        .allMatch(attempt -> attempt.type().equals(AttemptOutcome.Result.WORKER_LOST.name()));
    }

    Failures with(AttemptOutcome outcome) {
        Failure failure = outcome.failure().orElse(new Failure(outcome.result().name(), outcome.reason(), ""));
        var attempts = new ArrayList<>(history.subList(Math.max(0, history.size() - KEPT + 1), history.size()));
        attempts.add(new FailedAttempt(
                outcome.attemptId(), outcome.finishedAt(), failure.type(), shortened(failure.message())));
        return new Failures(count + 1, count == 0 ? outcome.finishedAt() : firstAt, failure, attempts);
    }

    private static String shortened(String message) {
        return message.length() <= LONGEST ? message : message.substring(0, LONGEST);
    }
}
