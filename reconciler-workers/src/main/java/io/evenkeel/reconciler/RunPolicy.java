package io.evenkeel.reconciler;

import java.time.Duration;
import java.util.Optional;

/**
 * How and when the handler of a controller is run.
 *
 * @param backoff when a failed object is tried again
 * @param minimumInterval least time between a failed attempt and the next one that another event asks for
 * @param attemptTimeout longest time that a handler may take, 1 s to 24 h
 * @param concurrency attempts at one time in one process, 1 or more; empty for the worker's setting
 * @param timetable when it runs although nothing changed
 * @param errors what errors mean
 */
public record RunPolicy(
        Backoff backoff,
        Duration minimumInterval,
        Duration attemptTimeout,
        Optional<Integer> concurrency,
        Timetable timetable,
        ErrorClassifier errors) {
    private static final Duration LEAST_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration MOST_TIMEOUT = Duration.ofHours(24);

    /** What holds unless something else is said. */
    public static final RunPolicy STANDARD = new RunPolicy(
            Backoff.exponential(),
            Duration.ofSeconds(1),
            Duration.ofMinutes(5),
            Optional.empty(),
            Timetable.NONE,
            ErrorClassifier.standard());

    /** @throws IllegalArgumentException if a part is out of its range */
    public RunPolicy {
        if (minimumInterval.isNegative()) {
            throw new IllegalArgumentException("minimumInterval must be 0 or more but is " + minimumInterval);
        }
        if (attemptTimeout.compareTo(LEAST_TIMEOUT) < 0 || attemptTimeout.compareTo(MOST_TIMEOUT) > 0) {
            throw new IllegalArgumentException("attemptTimeout must be 1 s to 24 h but is " + attemptTimeout);
        }
        if (concurrency.isPresent() && concurrency.get() < 1) {
            throw new IllegalArgumentException("concurrency must be 1 or more but is " + concurrency.get());
        }
    }

    RunPolicy with(Backoff other) {
        return new RunPolicy(other, minimumInterval, attemptTimeout, concurrency, timetable, errors);
    }

    RunPolicy withMinimumInterval(Duration interval) {
        return new RunPolicy(backoff, interval, attemptTimeout, concurrency, timetable, errors);
    }

    RunPolicy withAttemptTimeout(Duration timeout) {
        return new RunPolicy(backoff, minimumInterval, timeout, concurrency, timetable, errors);
    }

    RunPolicy withConcurrency(int attempts) {
        return new RunPolicy(backoff, minimumInterval, attemptTimeout, Optional.of(attempts), timetable, errors);
    }

    RunPolicy with(Timetable times) {
        return new RunPolicy(backoff, minimumInterval, attemptTimeout, concurrency, times, errors);
    }

    RunPolicy with(ErrorClassifier classifier) {
        return new RunPolicy(backoff, minimumInterval, attemptTimeout, concurrency, timetable, classifier);
    }
}
