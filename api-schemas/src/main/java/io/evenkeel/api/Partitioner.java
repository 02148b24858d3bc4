package io.evenkeel.api;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.utils.Utils;

/**
 * Places keys on partitions: murmur2 of {@link ObjectKey#partitionText()}, as Kafka's default partitioner hashes, modulo
 * the number of partitions. Everything that is known of one object, and of objects of the same name and namespace, meets
 * on one partition number of every topic that is marked as partitioned by object.
 */
public final class Partitioner {
    private Partitioner() {}

    /**
     * The partition of every topic spread by object that holds the key.
     *
     * @param partitions number of partitions, 1 or more
     * @return from 0 to {@code partitions - 1}
     */
    public static int partition(ObjectKey key, int partitions) {
        return place(key.partitionText(), partitions);
    }

    /** The partition of {@code watch-state} that holds the shard, from 0 to {@code partitions - 1}. */
    public static int partition(ShardKey shard, int partitions) {
        return place(shard.toString(), partitions);
    }

    private static int place(String text, int partitions) {
        if (partitions < 1) {
            throw new IllegalArgumentException("partitions must be 1 or more but is " + partitions);
        }
        return Utils.toPositive(Utils.murmur2(text.getBytes(StandardCharsets.UTF_8))) % partitions;
    }
}
