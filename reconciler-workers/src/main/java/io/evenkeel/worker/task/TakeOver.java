package io.evenkeel.worker.task;

import java.util.concurrent.CompletionStage;

/**
 * Knows how far {@code outcomes} reached when a partition was taken over: an attempt of the former owner may have left
 * its outcome there, so it is not lost before that point has been read.
 */
public interface TakeOver {
    /** Asks for the bounds of the partition's outcomes, without blocking. Completes exceptionally if Kafka is away. */
    CompletionStage<Bounds> outcomesOf(int partition);

    /**
     * Offsets at the moment of asking.
     *
     * @param next first offset that the group has not committed, not before the start of the partition
     * @param end offset after the last record
     */
    record Bounds(long next, long end) {
        /** Whether all is read once {@code seen} was the highest offset read, -1 for none. */
        boolean isReached(long seen) {
            return end <= next || seen >= end - 1;
        }
    }
}
