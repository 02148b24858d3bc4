package io.evenkeel.worker.attempt;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * How fast requests go to one cluster: so many a second, after a burst, in the order in which they came (generic cell rate
 * algorithm, ITU-T I.371, as a virtual schedule). A server that asks for patience is left alone by all requests until then.
 * Thread-safe.
 */
public final class RequestPace {
    /** A server that asks for more is asked again all the same. */
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    private final long intervalNanos;
    private final long toleranceNanos;
    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();
    private long theoreticalArrival; // guarded by lock, as is the next
    private long pausedUntil;

    /**
     * @param perSecond requests a second, 1 or more; 0 for no limit
     * @param burst requests that may go at once after a quiet time, 1 or more
     * @param nanoTime such as {@code System::nanoTime}
     */
    public RequestPace(int perSecond, int burst, LongSupplier nanoTime) {
        if (perSecond < 0 || burst < 1) {
            throw new IllegalArgumentException(
                    "perSecond must be 0 or more and burst 1 or more but they are " + perSecond + " and " + burst);
        }
        this.intervalNanos = perSecond == 0 ? 0 : Duration.ofSeconds(1).toNanos() / perSecond;
        this.toleranceNanos = intervalNanos * (burst - 1);
        this.nanoTime = nanoTime;
        this.theoreticalArrival = nanoTime.getAsLong();
        this.pausedUntil = theoreticalArrival;
    }

    /** No limit of its own; a server that asks for patience is still left alone. */
    public static RequestPace unlimited() {
        return new RequestPace(0, 1, System::nanoTime);
    }

    /** Waits until a request may go. */
    void await() throws InterruptedException {
        sleep(reserve());
        for (long left = pauseLeft(); left > 0; left = pauseLeft()) {
            sleep(left);
        }
    }

    /** The server asked to be left alone for that long, at most a minute of it. */
    void pause(Duration patience) {
        Duration time = patience.compareTo(LONGEST_PAUSE) < 0 ? patience : LONGEST_PAUSE;
        lock.lock();
        try {
            long until = nanoTime.getAsLong() + time.toNanos();
            if (until - pausedUntil > 0) {
                pausedUntil = until;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Takes the next place in the schedule; how long to wait for it, in nanoseconds. */
    long reserve() {
        if (intervalNanos == 0) {
            return 0;
        }
        lock.lock();
        try {
            long now = nanoTime.getAsLong();
            long arrival = theoreticalArrival - now > 0 ? theoreticalArrival : now;
            theoreticalArrival = arrival + intervalNanos;
            return Math.max(0, arrival - toleranceNanos - now);
        } finally {
            lock.unlock();
        }
    }

    long pauseLeft() {
        lock.lock();
        try {
            return Math.max(0, pausedUntil - nanoTime.getAsLong());
        } finally {
            lock.unlock();
        }
    }

    private static void sleep(long nanos) throws InterruptedException {
        if (nanos > 0) {
            Thread.sleep(Duration.ofNanos(nanos));
        }
    }
}
