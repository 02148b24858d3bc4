package io.evenkeel.worker.attempt;

import io.evenkeel.api.record.AttemptOutcome.Result;
import io.evenkeel.api.record.Failure;
import io.evenkeel.reconciler.Backoff;
import io.evenkeel.reconciler.ErrorClass;
import io.evenkeel.reconciler.ErrorClassifier;
import io.evenkeel.reconciler.Outcome;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Optional;

/**
 * What an attempt decided, before it has a time.
 *
 * @param result what
 * @param reason for people
 * @param failure the error of a failed attempt
 * @param delay until the next attempt; empty where there is none, or where the backoff says
 */
record Decision(Result result, String reason, Optional<Failure> failure, Optional<Duration> delay) {
    static final String INVALID_OBJECT = "INVALID_OBJECT";
    static final String TIMEOUT = "TIMEOUT";

    /** Where the server does not say how long. */
    private static final Duration SHORT_PATIENCE = Duration.ofSeconds(1);

    static Decision done(String reason) {
        return new Decision(Result.DONE, reason, Optional.empty(), Optional.empty());
    }

    static Decision of(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Done done -> done("");
            case Outcome.Waiting waiting ->
                new Decision(Result.WAITING, waiting.reason(), Optional.empty(), Optional.empty());
            case Outcome.RequeueAfter requeue ->
                new Decision(Result.REQUEUE, requeue.reason(), Optional.empty(), Optional.of(requeue.delay()));
            case Outcome.Retry retry -> failed(Result.FAILED, new Failure("RETRY", retry.reason(), ""));
            case Outcome.Failed failed -> failed(Result.FAILED_FOR_GOOD, new Failure("FAILED", failed.reason(), ""));
        };
    }

    static Decision failed(Result result, Failure failure) {
        return new Decision(result, failure.message(), Optional.of(failure), Optional.empty());
    }

    /** An error of that class; the delay is there where it is not the backoff's affair. */
    static Decision failed(ErrorClass kind, Throwable error, Backoff backoff) {
        Failure failure = failure(error.getClass().getName(), error);
        return switch (kind) {
            case TERMINAL -> failed(Result.FAILED_FOR_GOOD, failure);
            case TRANSIENT -> failed(Result.FAILED, failure);
            case CONFLICT ->
                new Decision(Result.FAILED, failure.message(), Optional.of(failure), Optional.of(backoff.base()));
            case THROTTLED, UNREACHABLE ->
                new Decision(
                        Result.DEFERRED,
                        kind + ": " + failure.message(),
                        Optional.of(failure),
                        Optional.of(patience(error)));
        };
    }

    /** As long as the server asks for. */
    private static Duration patience(Throwable error) {
        return ErrorClassifier.answered(error)
                .map(ErrorClassifier::retryAfterSeconds)
                .filter(seconds -> seconds > 0)
                .map(Duration::ofSeconds)
                .orElse(SHORT_PATIENCE);
    }

    static Decision invalid(Throwable error) {
        return failed(Result.FAILED_FOR_GOOD, failure(INVALID_OBJECT, error));
    }

    /** @param violations of its schema */
    static Decision invalid(String violations) {
        return failed(Result.FAILED_FOR_GOOD, new Failure(INVALID_OBJECT, violations, ""));
    }

    /** @param stack where the handler was */
    static Decision timedOut(Duration timeout, String stack) {
        return failed(
                Result.FAILED,
                new Failure(TIMEOUT, "the handler took longer than " + timeout.toSeconds() + " s", stack));
    }

    static Decision interrupted(String reason) {
        return new Decision(Result.INTERRUPTED, reason, Optional.empty(), Optional.empty());
    }

    private static Failure failure(String type, Throwable error) {
        var trace = new StringWriter();
        error.printStackTrace(new PrintWriter(trace, true));
        String message = error.getMessage() == null ? error.getClass().getSimpleName() : error.getMessage();
        return new Failure(type, message, trace.toString());
    }
}
