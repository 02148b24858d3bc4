package io.evenkeel.worker.task;

import io.evenkeel.api.record.AttemptOutcome;

/** Brings outcomes to their topic. Thread-safe. */
public interface OutcomeSender {
    /** Header that says that the attempt met a newer primary than it was given. */
    String BEHIND = "behind";

    /**
     * Sends an outcome until it is safe.
     *
     * @param partition of the outcomes topic
     * @param acknowledged run once it is safe, or when the process gives up because it ends
     */
    void send(int partition, AttemptOutcome outcome, boolean behind, Runnable acknowledged);
}
