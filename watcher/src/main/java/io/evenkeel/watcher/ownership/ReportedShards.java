package io.evenkeel.watcher.ownership;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.evenkeel.api.ShardKey;
import io.evenkeel.api.topic.Topic;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the shards that have a status on {@code watch-status}, whoever wrote it. */
public final class ReportedShards {
    private static final Logger LOG = LoggerFactory.getLogger(ReportedShards.class);
    private static final Duration POLL = Duration.ofMillis(200);

    private ReportedShards() {}

    /** Reads the topic to its end; empty if that fails, as nothing worse follows than a status that is shown as stale. */
    public static Set<ShardKey> read(KafkaClients clients) {
        var partition = new TopicPartition(clients.layout().name(Topic.WATCH_STATUS), 0);
        var shards = new HashSet<ShardKey>();
        try (Consumer<byte[], byte[]> consumer = clients.reader("watcher-status")) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
            while (consumer.position(partition) < end) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    ShardKey shard = ShardKey.parse(new String(record.key(), UTF_8));
                    if (record.value() == null) {
                        shards.remove(shard);
                    } else {
                        shards.add(shard);
                    }
                }
            }
            return shards;
        } catch (KafkaException | IllegalArgumentException e) {
            LOG.atWarn()
                    .addKeyValue("cause", e.toString())
                    .log("watch-status cannot be read; shards that are no longer configured stay on it");
            return Set.of();
        }
    }
}
