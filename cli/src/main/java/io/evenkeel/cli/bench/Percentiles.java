package io.evenkeel.cli.bench;

import java.util.Arrays;

/** Sorted measurements. */
final class Percentiles {
    private final long[] sortedNanos;

    /** @param nanos at least one measurement */
    Percentiles(long[] nanos) {
        if (nanos.length == 0) {
            throw new IllegalArgumentException("nothing was measured");
        }
        sortedNanos = nanos.clone();
        Arrays.sort(sortedNanos);
    }

    /**
     * The smallest measurement that at least {@code percent} of all do not exceed (nearest rank).
     *
     * @param percent above 0, up to 100
     * @return in milliseconds, to the hundredth
     */
    double millis(double percent) {
        int rank = (int) Math.ceil(percent / 100 * sortedNanos.length);
        return Math.round(sortedNanos[Math.max(rank, 1) - 1] / 10_000.0) / 100.0;
    }
}
