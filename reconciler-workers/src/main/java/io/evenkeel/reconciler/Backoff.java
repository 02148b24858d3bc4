package io.evenkeel.reconciler;

import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * When a failed object is tried again, and how often: {@code factor^(failures - 1) × base + uniform(0 … jitter)}, at
 * most {@code cap}.
 *
 * @param base first delay, 1 ms or more
 * @param factor growth per failure, 1 or more
 * @param jitter most that is added at random, 0 or more
 * @param cap longest delay, {@code base} or more
 * @param attempts how many attempts in a row may fail before the object is parked, 1 or more;
 *     {@link Integer#MAX_VALUE} never parks
 */
public record Backoff(Duration base, double factor, Duration jitter, Duration cap, int attempts) {
    private static final Backoff DEFAULT =
            new Backoff(Duration.ofMillis(100), 2, Duration.ofMillis(100), Duration.ofMinutes(5), 5);

    /** @throws IllegalArgumentException if a part is out of its range */
    public Backoff {
        require(base.toMillis() >= 1, "base must be 1 ms or more but is " + base);
        require(factor >= 1, "factor must be 1 or more but is " + factor);
        require(!jitter.isNegative(), "jitter must be 0 or more but is " + jitter);
        require(cap.compareTo(base) >= 0, "cap must be " + base + " or more but is " + cap);
        require(attempts >= 1, "attempts must be 1 or more but is " + attempts);
    }

    /** 100 ms, 200 ms, 400 ms and so on, plus up to 100 ms, at most 5 min; parks after 5 attempts. */
    public static Backoff exponential() {
        return DEFAULT;
    }

    /** Always the same delay, without jitter; parks after 5 attempts. */
    public static Backoff fixed(Duration delay) {
        return new Backoff(delay, 1, Duration.ZERO, delay, DEFAULT.attempts);
    }

    /** This, parking after that many failed attempts. */
    public Backoff upTo(int maximumAttempts) {
        return new Backoff(base, factor, jitter, cap, maximumAttempts);
    }

    /** This, never parking. */
    public Backoff forEver() {
        return upTo(Integer.MAX_VALUE);
    }

    /**
     * The delay before the next attempt.
     *
     * @param failures failed attempts so far, 1 or more
     * @return empty if no attempt is left
     */
    public Optional<Duration> delayAfter(int failures, RandomGenerator random) {
        if (failures < 1) {
            throw new IllegalArgumentException("failures must be 1 or more but is " + failures);
        }
        if (failures >= attempts) {
            return Optional.empty();
        }
        double grown = Math.min((double) base.toMillis() * Math.pow(factor, failures - 1), (double) cap.toMillis());
        long millis = (long) grown + random.nextLong(jitter.toMillis() + 1);
        return Optional.of(Duration.ofMillis(Math.min(millis, cap.toMillis())));
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}
