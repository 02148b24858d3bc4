package io.evenkeel.worker.task;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** What a process knows of its place in the group: whether it may write, and until when closing partitions may drain. */
public final class Membership {
    private final Clock clock;
    private final Duration drainTimeout;
    private final Proof proof;
    private Instant deadline = Instant.EPOCH;

    /**
     * @param drainTimeout for how long attempts may go on after their partition was asked back; shared by all partitions
     *     that close together
     */
    public Membership(Clock clock, Duration drainTimeout, Proof proof) {
        this.clock = clock;
        this.drainTimeout = drainTimeout;
        this.proof = proof;
    }

    /** Tells whether the group still counts this process as a member. */
    @FunctionalInterface
    public interface Proof {
        /** True while the group cannot have given the partition to somebody else. */
        boolean holds(int partition);
    }

    boolean mayWrite(int partition) {
        return proof.holds(partition);
    }

    /** How long a partition that closes now may wait for its attempts; not at all if it was lost already. */
    synchronized Duration drainTime(int partition) {
        if (!proof.holds(partition)) {
            return Duration.ZERO;
        }
        Instant now = clock.instant();
        // Partitions of one rebalance close one after another on one thread: together they must stay below the poll
        // interval, so those that close within the time of the first share its deadline.
        if (now.isAfter(deadline.plus(drainTimeout.dividedBy(2)))) {
            deadline = now.plus(drainTimeout);
        }
        Duration left = Duration.between(now, deadline);
        return left.isNegative() ? Duration.ZERO : left;
    }
}
