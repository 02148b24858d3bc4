package io.evenkeel.api.record;

import io.evenkeel.api.ControllerKey;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One attempt and what it decided, on {@code outcomes}.
 *
 * @param controller name of the controller
 * @param primary text of the primary's {@link io.evenkeel.api.ObjectKey}
 * @param attemptId unique id of this run
 * @param attempt 1 for the first try since the last success or spec change
 * @param worker id of the worker process
 * @param causes why it ran
 * @param uid uid of the primary that was handled
 * @param resourceVersion version of the primary that was handled
 * @param generation generation of the primary that was handled, absent for kinds that have none
 * @param startedAt by the worker's clock
 * @param finishedAt by the worker's clock
 * @param result what was decided
 * @param reason for people: what it waits for; empty if there is nothing to say
 * @param failure the error of a failed attempt
 * @param writes what it wrote, in order
 * @param due when it runs again, if a time was set
 */
public record AttemptOutcome(
        String controller,
        String primary,
        String attemptId,
        int attempt,
        String worker,
        List<Cause> causes,
        String uid,
        String resourceVersion,
        Optional<Long> generation,
        Instant startedAt,
        Instant finishedAt,
        Result result,
        String reason,
        Optional<Failure> failure,
        List<Write> writes,
        Optional<Instant> due) {
    /** What an attempt decided. */
    public enum Result {
        /** The object is as its spec wants it. */
        DONE,
        /** Nothing more to do until something changes. */
        WAITING,
        /** To be called again at {@code due}. */
        REQUEUE,
        /** Failed; tried again while attempts are left. */
        FAILED,
        /** The API server asked for patience or did not answer; tried again at {@code due}, and not counted. */
        DEFERRED,
        /** Failed in a way that no further attempt can mend. */
        FAILED_FOR_GOOD,
        /** The worker stopped or lost the key before the handler came to an end; does not count as an attempt. */
        INTERRUPTED,
        /** The worker died while the handler ran; counts as an attempt. */
        WORKER_LOST
    }

    /** Takes copies of the lists. */
    public AttemptOutcome {
        causes = List.copyOf(causes);
        writes = List.copyOf(writes);
    }

    /** The key under which the outcome lies on its topic. */
    public ControllerKey key() {
        return ControllerKey.parse(controller + "/" + primary);
    }
}
