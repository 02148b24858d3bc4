package io.evenkeel.worker.ledger;

/** What the ledger knows of the primary itself; exactly one of these. */
public sealed interface Primary {
    /** Never seen: a secondary or a request came first. */
    record Unseen() implements Primary {}

    /**
     * It exists.
     *
     * @param sighting newest state that was folded
     */
    record Present(Sighting sighting) implements Primary {}

    /**
     * It is no longer seen, because it left the watcher's selection; it may live on, and may come back.
     *
     * @param last state that was seen last
     */
    record Left(Sighting last) implements Primary {}

    /**
     * It was deleted.
     *
     * @param uid the life that ended
     */
    record Gone(String uid) implements Primary {}
}
