package io.evenkeel.worker.health;

import io.evenkeel.worker.ledger.UnknownFormatException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Whether the partitions of a process are still being turned. A partition has a turn every millisecond or so, whether or not
 * there is anything to fold; one that has none for {@link #LONGEST_TURN} is stuck. Thread-safe.
 */
public final class Progress {
    /** Longer than a partition may take to be drained, and than a broker may be waited for. */
    static final Duration LONGEST_TURN = Duration.ofMinutes(5);

    /** Deaths of threads with no turn between them, from which on nothing is hoped for. */
    private static final int MOST_DEATHS = 20;

    private final LongSupplier nanoTime;
    private final Map<Turns, Integer> turning = new ConcurrentHashMap<>();
    private final AtomicInteger deaths = new AtomicInteger();
    private volatile Optional<String> lastDeath = Optional.empty();
    private volatile Optional<String> refusal = Optional.empty();

    /** @param nanoTime such as {@code System::nanoTime} */
    public Progress(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** The turns of one partition in the hands of this process; told apart by identity. */
    public final class Turns {
        private final AtomicLong last = new AtomicLong(nanoTime.getAsLong());

        private Turns() {}

        /** It had one. */
        public void turned() {
            last.set(nanoTime.getAsLong());
            if (deaths.get() != 0) {
                deaths.set(0);
            }
        }

        /** The partition goes to somebody else. */
        public void end() {
            turning.remove(this);
        }

        private boolean isStuck() {
            return nanoTime.getAsLong() - last.get() > LONGEST_TURN.toNanos();
        }
    }

    /** A partition was taken over. */
    public Turns begin(int partition) {
        var turns = new Turns();
        turning.put(turns, partition);
        return turns;
    }

    /**
     * A thread that turns partitions has died.
     *
     * @return whether another one may do better
     */
    public boolean died(Throwable cause) {
        for (Throwable each = cause; each != null; each = each.getCause()) {
            if (each instanceof UnknownFormatException format) {
                refusal = Optional.of(String.valueOf(format.getMessage()));
                return false;
            }
        }
        lastDeath = Optional.of(cause.toString());
        deaths.incrementAndGet();
        return true;
    }

    /** Why this program can never work on what it found; empty if it can. */
    public Optional<String> refusal() {
        return refusal;
    }

    /** Why nothing moves any more; empty if something does, or may again. */
    public Optional<String> stuckBecause() {
        if (refusal.isPresent()) {
            return refusal;
        }
        if (deaths.get() >= MOST_DEATHS) {
            return Optional.of("its threads die again and again: " + lastDeath.orElse("unknown"));
        }
        return turning.entrySet().stream()
                .filter(entry -> entry.getKey().isStuck())
                .map(Map.Entry::getValue)
                .min(Integer::compare)
                .map(partition -> "partition " + partition + " had no turn for " + LONGEST_TURN.toMinutes() + " min");
    }
}
