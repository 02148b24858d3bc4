package io.evenkeel.watcher.ownership;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.evenkeel.api.ShardKey;
import io.evenkeel.state.OrderedStore;
import io.evenkeel.watcher.fold.Checkpoint;
import io.evenkeel.watcher.publish.ShardIndex;
import io.evenkeel.watcher.publish.WatchState;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads a partition of {@code watch-state} from its beginning to its end. The caller has called {@code initTransactions}
 * before: the former owner can then write no more, and what it left open is decided, so the end is the end.
 */
final class IndexRestore {
    private static final Duration POLL = Duration.ofMillis(200);

    private IndexRestore() {}

    /**
     * Fills an empty store.
     *
     * @param consumer read_committed, assigned to nothing
     * @param goOn asked between polls; the result is incomplete once it says no
     * @return checkpoints by shard
     */
    static Map<ShardKey, Checkpoint> run(
            Consumer<byte[], byte[]> consumer, TopicPartition partition, OrderedStore store, BooleanSupplier goOn) {
        consumer.assign(List.of(partition));
        consumer.seekToBeginning(List.of(partition));
        long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
        var checkpoints = new HashMap<ShardKey, Checkpoint>();
        while (consumer.position(partition) < end && goOn.getAsBoolean()) {
            try (var changes = new OrderedStore.Changes()) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    apply(record, changes, checkpoints);
                }
                store.write(changes);
            }
        }
        return checkpoints;
    }

    private static void apply(
            ConsumerRecord<byte[], byte[]> record,
            OrderedStore.Changes changes,
            Map<ShardKey, Checkpoint> checkpoints) {
        byte[] value = record.value();
        if (WatchState.isShard(record.key())) {
            ShardKey shard = ShardKey.parse(new String(record.key(), UTF_8));
            if (value == null) {
                checkpoints.remove(shard);
            } else {
                checkpoints.put(shard, WatchState.decodeCheckpoint(value));
            }
        } else if (value == null) {
            changes.delete(ShardIndex.storeKey(record.key()));
        } else {
            changes.put(ShardIndex.storeKey(record.key()), value);
        }
    }
}
