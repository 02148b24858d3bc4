package io.evenkeel.sandbox.fault.rule;

/**
 * Which ones of a counted sequence are hit: of the matching requests of a rule, or of the frames of a watch.
 *
 * @param from number of the first one that may be hit, 1 or more
 * @param every 1 for each from there on, 2 for every other …
 * @param times how many are hit at most, 1 or more
 * @param probability that one which may be hit is hit, more than 0 and up to 1
 */
public record Trigger(long from, long every, long times, double probability) {
    /** No limit. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    /** Checks the ranges. */
    public Trigger {
        require(from >= 1, "from must be 1 or more but is " + from);
        require(every >= 1, "every must be 1 or more but is " + every);
        require(times >= 1, "times must be 1 or more but is " + times);
        require(probability > 0 && probability <= 1, "probability must be above 0 and up to 1 but is " + probability);
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }

    /** Hits each. */
    public static Trigger always() {
        return new Trigger(1, 1, UNLIMITED, 1);
    }

    /** Hits the n-th and no other. */
    public static Trigger nth(long n) {
        return new Trigger(n, 1, 1, 1);
    }

    /** Hits each with this probability. */
    public static Trigger withProbability(double probability) {
        return new Trigger(1, 1, UNLIMITED, probability);
    }

    /**
     * Decides about one.
     *
     * @param number its number in the sequence, from 1
     * @param hits how many were hit before it
     * @param chance of this one
     */
    public boolean hits(long number, long hits, Chance chance) {
        return number >= from
                && (number - from) % every == 0
                && hits < times
                && (probability == 1 || chance.draw() < probability);
    }
}
