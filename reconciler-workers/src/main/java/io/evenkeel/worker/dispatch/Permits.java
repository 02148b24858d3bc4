package io.evenkeel.worker.dispatch;

import io.evenkeel.worker.ledger.Lane;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The permits of one controller in one process, over all its partitions: how many attempts run at one time, and who
 * comes next. A permit that becomes free is granted at once to the most urgent ticket; every {@value #SHARE}th grant
 * goes to the least urgent one, so that no lane starves. Thread-safe.
 */
public final class Permits {
    private static final int SHARE = 16;

    private final ReentrantLock lock = new ReentrantLock();
    private final LaneQueue urgent = new LaneQueue();
    private final LaneQueue normal = new LaneQueue();
    private final LaneQueue background = new LaneQueue();
    private final List<LaneQueue> usualOrder = List.of(urgent, normal, background);
    private final List<LaneQueue> reverseOrder = List.of(background, normal, urgent);
    private final int limit;
    private int free;
    private long grants;

    /** @param limit most attempts at one time, 1 or more */
    public Permits(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be 1 or more but is " + limit);
        }
        this.limit = limit;
        this.free = limit;
    }

    /** Queues a ticket; grants it at once if a permit is free. */
    public void offer(Ticket ticket) {
        lock.lock();
        try {
            queue(ticket.lane()).add(ticket);
        } finally {
            lock.unlock();
        }
        grant();
    }

    /** Gives a permit back. */
    public void release() {
        lock.lock();
        try {
            if (free == limit) {
                throw new IllegalStateException("more permits were released than granted");
            }
            free++;
        } finally {
            lock.unlock();
        }
        grant();
    }

    /** Tickets that wait. */
    public int waiting() {
        lock.lock();
        try {
            return urgent.size() + normal.size() + background.size();
        } finally {
            lock.unlock();
        }
    }

    /** Attempts that run, or are about to. */
    public int running() {
        lock.lock();
        try {
            return limit - free;
        } finally {
            lock.unlock();
        }
    }

    private void grant() {
        for (Ticket ticket : granted()) {
            ticket.holder().granted(ticket);
        }
    }

    private List<Ticket> granted() {
        var granted = new ArrayList<Ticket>(1);
        lock.lock();
        try {
            while (free > 0) {
                Optional<Ticket> next = next();
                if (next.isEmpty()) {
                    break;
                }
                if (!next.get().holder().isClosed()) {
                    free--;
                    grants++;
                    granted.add(next.get());
                }
            }
        } finally {
            lock.unlock();
        }
        return granted;
    }

    private Optional<Ticket> next() {
        List<LaneQueue> order = grants % SHARE == SHARE - 1 ? reverseOrder : usualOrder;
        for (LaneQueue lane : order) {
            if (lane.size() > 0) {
                return lane.poll();
            }
        }
        return Optional.empty();
    }

    private LaneQueue queue(Lane lane) {
        return switch (lane) {
            case URGENT -> urgent;
            case NORMAL -> normal;
            case BACKGROUND -> background;
        };
    }
}
