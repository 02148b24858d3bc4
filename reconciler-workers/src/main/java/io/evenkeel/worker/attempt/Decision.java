package io.evenkeel.worker.attempt;

import io.evenkeel.api.record.AttemptOutcome.Result;
import io.evenkeel.api.record.Failure;
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
 * @param delay of a requeue
 */
record Decision(Result result, String reason, Optional<Failure> failure, Optional<Duration> delay) {
    static final String INVALID_OBJECT = "INVALID_OBJECT";
    static final String TIMEOUT = "TIMEOUT";

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

    static Decision failed(Throwable error) {
        return failed(Result.FAILED, failure(error.getClass().getName(), error));
    }

    static Decision invalid(Throwable error) {
        return failed(Result.FAILED_FOR_GOOD, failure(INVALID_OBJECT, error));
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
