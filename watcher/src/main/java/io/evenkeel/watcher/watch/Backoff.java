package io.evenkeel.watcher.watch;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** Doubling delays with equal jitter, from 200 ms to 15 s. Not thread-safe. */
public final class Backoff {
    private static final long BASE_MILLIS = 200;
    private static final long MAX_MILLIS = 15_000;

    private final RandomGenerator random;
    private int failures;

    /** Nothing has failed yet. */
    public Backoff(RandomGenerator random) {
        this.random = random;
    }

    /** The next delay: between half the ceiling and the ceiling, which doubles each time. */
    public Duration next() {
        long ceiling = Math.min(MAX_MILLIS, BASE_MILLIS << Math.min(failures, 10));
        failures++;
        return Duration.ofMillis(ceiling / 2 + random.nextLong(ceiling / 2 + 1));
    }

    /** Something worked. */
    public void reset() {
        failures = 0;
    }
}
