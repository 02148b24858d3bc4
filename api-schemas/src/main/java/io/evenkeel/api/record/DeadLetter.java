package io.evenkeel.api.record;

import io.evenkeel.api.ControllerKey;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Parked work, on {@code dead-letters}: out of attempts, waiting for a person or a new spec. A tombstone under the same
 * key says that it was redriven or healed.
 *
 * @param controller name of the controller
 * @param primary text of the primary's {@link io.evenkeel.api.ObjectKey}
 * @param reason why it was parked
 * @param attempts how many attempts failed
 * @param failure the last error
 * @param history the failed attempts, oldest first, at most 20
 * @param uid uid of the primary
 * @param resourceVersion version of the primary that failed
 * @param generation generation that failed, absent for kinds that have none
 * @param firstFailedAt time of the first failure in this row
 * @param parkedAt when it was parked
 */
public record DeadLetter(
        String controller,
        String primary,
        Reason reason,
        int attempts,
        Failure failure,
        List<FailedAttempt> history,
        String uid,
        String resourceVersion,
        Optional<Long> generation,
        Instant firstFailedAt,
        Instant parkedAt) {
    /** Why work was parked. */
    public enum Reason {
        /** As many attempts failed as its controller allows. */
        OUT_OF_ATTEMPTS,
        /** The reconciler, or the kind of error, said that no retry can help. */
        TERMINAL_ERROR,
        /** The object does not fit its schema or its Java class. */
        INVALID_OBJECT
    }

    /**
     * One failed attempt.
     *
     * @param attemptId its id, as on {@code outcomes}
     * @param at when it ended
     * @param type class of the error
     * @param message its message
     */
    public record FailedAttempt(String attemptId, Instant at, String type, String message) {}

    /** Takes a copy of the list. */
    public DeadLetter {
        history = List.copyOf(history);
    }

    /** The key under which the dead letter lies on its topic. */
    public ControllerKey key() {
        return ControllerKey.parse(controller + "/" + primary);
    }
}
