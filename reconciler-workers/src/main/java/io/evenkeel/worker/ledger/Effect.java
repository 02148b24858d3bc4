package io.evenkeel.worker.ledger;

import io.evenkeel.api.record.DeadLetter.Reason;
import java.time.Instant;

/** What the shell does after an entry moved; each tolerates repetition. Exactly one of these. */
public sealed interface Effect {
    /**
     * Put the key into its lane.
     *
     * @param lane the lane
     */
    record Enqueue(Lane lane) implements Effect {}

    /**
     * Write a record to a retry topic.
     *
     * @param kind what waits
     * @param attempt failed attempts so far
     * @param due when to run
     * @param why for people
     */
    record Schedule(KeyState.Kind kind, int attempt, Instant due, String why) implements Effect {}

    /**
     * Write a dead letter.
     *
     * @param reason why
     * @param at since when
     * @param first whether this is news, not the repetition after a restart
     */
    record Park(Reason reason, Instant at, boolean first) implements Effect {}

    /** Write the tombstone of a dead letter. */
    record Unpark() implements Effect {}

    /** The key's work has ended with its primary: drop the entry and the secondaries. */
    record Forget() implements Effect {}
}
