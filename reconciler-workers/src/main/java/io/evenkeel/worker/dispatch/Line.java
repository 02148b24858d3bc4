package io.evenkeel.worker.dispatch;

import java.util.ArrayDeque;
import java.util.Optional;

/** First come, first served. Not thread-safe. */
final class Line implements Tickets {
    private final ArrayDeque<Ticket> tickets = new ArrayDeque<>();

    @Override
    public void add(Ticket ticket) {
        tickets.add(ticket);
    }

    @Override
    public Optional<Ticket> poll() {
        return Optional.ofNullable(tickets.poll());
    }

    @Override
    public int size() {
        return tickets.size();
    }
}
