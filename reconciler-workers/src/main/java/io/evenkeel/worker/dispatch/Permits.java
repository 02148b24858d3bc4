package io.evenkeel.worker.dispatch;

import io.evenkeel.worker.ledger.Lane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * The permits of one controller in one process, over all its partitions: how many attempts run at one time, and who
 * comes next. A permit that becomes free is granted at once to the most urgent ticket; every {@value #SHARE}th grant
 * goes to the least urgent one, so that no lane starves. While keys of the lowest lane wait, only every
 * {@value #RETRY_SHARE}th of the other grants goes to a retry before them: keys that fail again and again must not hold up those
 * that were not tried yet. Tickets of a cluster that cannot be worked on wait until it can,
 * and no cluster holds more than its share of the permits. Thread-safe.
 */
public final class Permits {
    private static final int SHARE = 16;
    private static final int RETRY_SHARE = 8;

    private final ReentrantLock lock = new ReentrantLock();
    private final LaneQueue urgent = new LaneQueue();
    private final LaneQueue normal = new LaneQueue();
    private final LaneQueue retry = new LaneQueue();
    private final LaneQueue background = new LaneQueue();
    private final List<LaneQueue> usualOrder = List.of(urgent, normal, retry, background);
    private final List<LaneQueue> freshFirst = List.of(urgent, normal, background, retry);
    private final List<LaneQueue> reverseOrder = List.of(background, retry, normal, urgent);
    private final int limit;
    private final int limitPerCluster;
    private final Total total;
    private final Predicate<String> isOpen;
    private final Map<String, Integer> held = new HashMap<>();
    private int free;
    private long grants;
    private long offers;
    private long retries;
    private long lastProgress = System.nanoTime();

    /**
     * @param limit most attempts at one time, 1 or more
     * @param limitPerCluster most of them for one cluster, 1 to {@code limit}
     * @param total of all controllers of the process
     * @param isOpen whether a cluster can be worked on; must answer at once
     */
    public Permits(int limit, int limitPerCluster, Total total, Predicate<String> isOpen) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be 1 or more but is " + limit);
        }
        if (limitPerCluster < 1 || limitPerCluster > limit) {
            throw new IllegalArgumentException("limitPerCluster must be 1 to " + limit + " but is " + limitPerCluster);
        }
        this.limit = limit;
        this.limitPerCluster = limitPerCluster;
        this.total = total;
        this.isOpen = isOpen;
        this.free = limit;
        total.onRoom(this::grant);
    }

    /** Queues a ticket; grants it at once if a permit is free. */
    public void offer(Ticket ticket) {
        lock.lock();
        try {
            queue(ticket.lane()).add(ticket);
            offers++;
            retries += ticket.lane() == Lane.RETRY ? 1 : 0;
        } finally {
            lock.unlock();
        }
        grant();
    }

    /**
     * Gives a permit back.
     *
     * @param cluster for which it was granted
     */
    public void release(String cluster) {
        lock.lock();
        try {
            if (free == limit) {
                throw new IllegalStateException("more permits were released than granted");
            }
            free++;
            lastProgress = System.nanoTime();
            held.computeIfPresent(cluster, (name, count) -> count == 1 ? null : count - 1);
        } finally {
            lock.unlock();
        }
        total.give();
        grant();
    }

    /** Grants what may be granted now that clusters have opened, or work on them is no longer paused. */
    public void clustersChanged() {
        grant();
    }

    /** Whether tickets wait for a permit, and for nothing else. */
    public boolean isPressing() {
        lock.lock();
        try {
            return usualOrder.stream().anyMatch(lane -> lane.count(isOpen) > 0);
        } finally {
            lock.unlock();
        }
    }

    /** Tickets of clusters that cannot be worked on. */
    public int withheld() {
        lock.lock();
        try {
            return usualOrder.stream()
                    .mapToInt(lane -> lane.count(isOpen.negate()))
                    .sum();
        } finally {
            lock.unlock();
        }
    }

    /** Tickets that wait. */
    public int waiting() {
        lock.lock();
        try {
            return usualOrder.stream().mapToInt(LaneQueue::size).sum();
        } finally {
            lock.unlock();
        }
    }

    /** Tickets that were offered since the start. */
    public long offers() {
        lock.lock();
        try {
            return offers;
        } finally {
            lock.unlock();
        }
    }

    /** Those of them that were retries or requeues. */
    public long retries() {
        lock.lock();
        try {
            return retries;
        } finally {
            lock.unlock();
        }
    }

    /** Most attempts at one time. */
    public int limit() {
        return limit;
    }

    /** Whether no permit came back for that long although some are held. */
    public boolean isStuckFor(Duration time) {
        lock.lock();
        try {
            return free < limit && System.nanoTime() - lastProgress > time.toNanos();
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
        boolean unused = false;
        lock.lock();
        try {
            while (free > 0 && total.take()) {
                Optional<Ticket> next = nextOpen();
                if (next.isEmpty()) {
                    unused = true;
                    break;
                }
                if (free == limit) {
                    lastProgress = System.nanoTime();
                }
                free--;
                grants++;
                held.merge(next.get().cluster(), 1, Integer::sum);
                granted.add(next.get());
            }
        } finally {
            lock.unlock();
        }
        if (unused) {
            total.give();
        }
        return granted;
    }

    private Optional<Ticket> nextOpen() {
        Optional<Ticket> next = next();
        while (next.isPresent() && next.get().holder().isClosed()) {
            next = next();
        }
        return next;
    }

    private Optional<Ticket> next() {
        List<LaneQueue> order =
                grants % SHARE == SHARE - 1 ? reverseOrder : grants % RETRY_SHARE == 0 ? usualOrder : freshFirst;
        for (LaneQueue lane : order) {
            Optional<Ticket> ticket = lane.poll(this::mayRun);
            if (ticket.isPresent()) {
                return ticket;
            }
        }
        return Optional.empty();
    }

    private boolean mayRun(String cluster) {
        return held.getOrDefault(cluster, 0) < limitPerCluster && isOpen.test(cluster);
    }

    private LaneQueue queue(Lane lane) {
        return switch (lane) {
            case URGENT -> urgent;
            case NORMAL -> normal;
            case RETRY -> retry;
            case BACKGROUND -> background;
        };
    }
}
