package io.evenkeel.watcher.publish;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What waits for a publisher, first in first out, bounded by the bytes it holds: when Kafka is slow, the watches wait here,
 * and the API server is held back by the flow control of their connections. Thread-safe.
 *
 * @param <E> what waits
 */
public final class Backlog<E extends Backlog.Weighted> {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition notEmpty = lock.newCondition();
    private final Condition notFull = lock.newCondition();
    private final ArrayDeque<E> entries = new ArrayDeque<>();
    private final long limit;
    private long weight;
    private boolean closed;

    /** @param limit bytes; a single larger input is taken when the backlog is empty */
    public Backlog(long limit) {
        this.limit = limit;
    }

    /**
     * Adds an input, waiting for room.
     *
     * @return false if the backlog was closed, so that the input went nowhere
     */
    public boolean put(E entry) throws InterruptedException {
        int size = entry.weight();
        lock.lockInterruptibly();
        try {
            while (!closed && weight > 0 && weight + size > limit) {
                notFull.await();
            }
            if (closed) {
                return false;
            }
            entries.add(entry);
            weight += size;
            notEmpty.signal();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Takes the next input, waiting for it no longer than {@code patience}. */
    public Optional<E> poll(Duration patience) throws InterruptedException {
        long nanos = patience.toNanos();
        lock.lockInterruptibly();
        try {
            while (entries.isEmpty() && !closed && nanos > 0) {
                nanos = notEmpty.awaitNanos(nanos);
            }
            E entry = entries.poll();
            if (entry == null) {
                return Optional.empty();
            }
            weight -= entry.weight();
            notFull.signalAll();
            return Optional.of(entry);
        } finally {
            lock.unlock();
        }
    }

    /** Drops what waits and refuses everything further; whoever waits is released. */
    public void close() {
        lock.lock();
        try {
            closed = true;
            entries.clear();
            weight = 0;
            notEmpty.signalAll();
            notFull.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Something that takes memory. */
    @FunctionalInterface
    public interface Weighted {
        /** Bytes, roughly; always the same. */
        int weight();
    }
}
