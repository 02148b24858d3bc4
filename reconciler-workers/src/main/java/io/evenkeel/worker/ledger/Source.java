package io.evenkeel.worker.ledger;

/** The topics that are folded into the ledger. */
public enum Source {
    /** Newest states. */
    OBJECTS,
    /** Reasons to reconcile. */
    REQUESTS,
    /** Results of attempts. */
    OUTCOMES
}
