package io.evenkeel.worker.kafka;

import io.evenkeel.worker.task.Membership;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import org.apache.kafka.common.TopicPartition;

/**
 * Proves that partitions are still held: their consumer is in the group if a heartbeat was answered less than a session
 * timeout ago. An answer may also say that the member is unknown, which the consumer acts on in its next poll; so an
 * answer counts only after the poll that follows it, and only as of the moment before it came. Thread-safe.
 */
public final class GroupProof implements Membership.Proof {
    private final List<Member> members = new CopyOnWriteArrayList<>();
    private final long timeoutNanos;
    private final LongSupplier nanoTime;

    /**
     * @param sessionTimeout after which the group gives a silent member's partitions away
     * @param nanoTime a clock that never goes back and runs while the process is stopped
     */
    public GroupProof(Duration sessionTimeout, LongSupplier nanoTime) {
        this.timeoutNanos = sessionTimeout.toNanos();
        this.nanoTime = nanoTime;
    }

    @Override
    public boolean holds(int partition) {
        long now = nanoTime.getAsLong();
        return members.stream().anyMatch(member -> member.holds(partition) && now - member.provenAt < timeoutNanos);
    }

    /** A consumer that joins. */
    Member member() {
        var member = new Member();
        members.add(member);
        return member;
    }

    /** One consumer. Its methods are called by its own thread. */
    final class Member {
        private final Set<Integer> partitions = ConcurrentHashMap.newKeySet();
        private volatile long provenAt = nanoTime.getAsLong();
        private double heartbeats;
        private boolean answered;
        private long answeredAfter;
        private volatile long lastPoll = nanoTime.getAsLong();

        /** A poll came back, and nothing was lost in it. */
        void polled(double answeredHeartbeats) {
            if (answered) {
                provenAt = answeredAfter;
                answered = false;
            }
            if (answeredHeartbeats != heartbeats) {
                heartbeats = answeredHeartbeats;
                answered = true;
                answeredAfter = lastPoll;
            }
            lastPoll = nanoTime.getAsLong();
        }

        /** A rebalance was completed: the group has just counted this member in. */
        void assigned(Collection<TopicPartition> more) {
            more.forEach(partition -> partitions.add(partition.partition()));
            provenAt = lastPoll;
        }

        void revoked(Collection<TopicPartition> fewer) {
            fewer.forEach(partition -> partitions.remove(partition.partition()));
        }

        void left() {
            partitions.clear();
            members.remove(this);
        }

        private boolean holds(int partition) {
            return partitions.contains(partition);
        }
    }
}
