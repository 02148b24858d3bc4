package io.evenkeel.worker.ledger;

import io.evenkeel.api.record.Cause;
import java.time.Instant;
import java.util.List;

/** Where the work for one controller and primary stands; exactly one of these. */
public sealed interface KeyState {
    /** Nothing to do. */
    record Idle() implements KeyState {}

    /**
     * To be handled as soon as a permit is free.
     *
     * @param lane how urgent
     * @param causes why, oldest first, bounded
     */
    record Pending(Lane lane, List<Cause> causes) implements KeyState {
        /** Takes a copy of the list. */
        public Pending {
            causes = List.copyOf(causes);
        }
    }

    /**
     * An attempt has it.
     *
     * @param attemptId the attempt
     * @param handled state of the primary that the attempt works on
     * @param startedAt by the worker's clock
     * @param causes why it runs
     * @param seen what changed meanwhile
     */
    record Running(String attemptId, Sighting handled, Instant startedAt, List<Cause> causes, Seen seen)
            implements KeyState {
        /** Takes a copy of the list. */
        public Running {
            causes = List.copyOf(causes);
        }

        Running seeing(Seen newer) {
            return new Running(attemptId, handled, startedAt, causes, newer);
        }
    }

    /**
     * Waits for its time.
     *
     * @param kind what for
     * @param due when
     * @param since when the attempt before it ended
     * @param why for people
     */
    record Waiting(Kind kind, Instant due, Instant since, String why) implements KeyState {}

    /**
     * Out of retries.
     *
     * @param reason why
     * @param at since when
     */
    record Parked(io.evenkeel.api.record.DeadLetter.Reason reason, Instant at) implements KeyState {}

    /** What {@link Waiting} waits for. */
    enum Kind {
        /** The backoff of a failure. */
        RETRY,
        /** The time that the reconciler asked for. */
        REQUEUE,
        /** The next time of the controller's timetable: until then the key is as its spec wants it. */
        RESYNC
    }
}
