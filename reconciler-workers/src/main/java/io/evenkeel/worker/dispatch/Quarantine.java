package io.evenkeel.worker.dispatch;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Lets in one attempt at a time of those keys whose attempts were lost with their worker again and again. One of them may
 * have killed it; if it does so once more, no other suspect is lost with it, so a key that only stood by is not parked for
 * what it did not do. Shared by all partitions of a process, because they die together. Thread-safe.
 */
public final class Quarantine {
    /** A handler that only takes its time must not keep others waiting for ever. */
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private final Clock clock;
    private final AtomicReference<Stay> current;

    /** One attempt's stay, from when it was let in; told apart by identity. */
    private static final class Stay {
        private final Instant since;

        Stay(Instant since) {
            this.since = since;
        }
    }

    /** @param clock of the process */
    public Quarantine(Clock clock) {
        this.clock = clock;
        this.current = new AtomicReference<>(new Stay(Instant.MIN));
    }

    /** Whether {@link #enter} would let in. */
    public boolean isFree() {
        return isOver(current.get());
    }

    /**
     * Lets an attempt in if no other one is, or that one has been in for too long.
     *
     * @return to be run when the attempt is over; absent if the attempt must wait
     */
    public Optional<Runnable> enter() {
        Stay before = current.get();
        var stay = new Stay(clock.instant());
        if (!isOver(before) || !current.compareAndSet(before, stay)) {
            return Optional.empty();
        }
        return Optional.of(() -> current.compareAndSet(stay, new Stay(Instant.MIN)));
    }

    private boolean isOver(Stay stay) {
        return stay.since.isBefore(clock.instant().minus(LONGEST));
    }
}
