package io.evenkeel.watcher.health;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** How far a shard's watch has come, and how far behind it the log is. Thread-safe. */
public final class ShardProgress {
    private long read;
    private long settled;
    private Optional<Instant> waitingSince = Optional.empty();
    private Optional<Instant> currentAt = Optional.empty();
    private Optional<Instant> lastEventAt = Optional.empty();

    ShardProgress() {}

    /** A watch begins; what an earlier one had read and not settled will be read again. */
    public synchronized void begin() {
        read = 0;
        settled = 0;
        waitingSince = Optional.empty();
    }

    /** Something was read that now waits to be on the log. */
    public synchronized void read(Instant at) {
        read++;
        if (waitingSince.isEmpty()) {
            waitingSince = Optional.of(at);
        }
    }

    /**
     * What was read is on the log, or led to nothing.
     *
     * @param count how much of it, in the order in which it was read
     * @param newest when the newest of it was read
     */
    public synchronized void settle(int count, Instant newest) {
        settled += count;
        waitingSince = settled < read ? Optional.of(newest) : Optional.empty();
    }

    /** The server proved that nothing is missing. */
    public synchronized void proven(Instant at) {
        currentAt = Optional.of(at);
    }

    /** A change goes to the log. */
    public synchronized void event(Instant readAt) {
        lastEventAt = Optional.of(readAt);
    }

    /** How long the oldest that was read has been waiting; zero if nothing waits. */
    synchronized Duration lag(Instant now) {
        return waitingSince
                .map(since -> Duration.between(since, now))
                .filter(Duration::isPositive)
                .orElse(Duration.ZERO);
    }

    synchronized Optional<Instant> currentAt() {
        return currentAt;
    }

    synchronized Optional<Instant> lastEventAt() {
        return lastEventAt;
    }
}
