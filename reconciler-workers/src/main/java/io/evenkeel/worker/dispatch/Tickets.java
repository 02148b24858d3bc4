package io.evenkeel.worker.dispatch;

import java.util.Optional;

/** Tickets that wait in some order. Not thread-safe. */
interface Tickets {
    /** Puts one behind the others. */
    void add(Ticket ticket);

    /** Takes out the next one. */
    Optional<Ticket> poll();

    /** How many there are. */
    int size();
}
