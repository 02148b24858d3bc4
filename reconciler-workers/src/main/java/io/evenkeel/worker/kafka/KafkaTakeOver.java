package io.evenkeel.worker.kafka;

import io.evenkeel.worker.task.TakeOver;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** Asks the brokers. Thread-safe. */
public final class KafkaTakeOver implements TakeOver {
    private final Admin admin;
    private final String group;
    private final String topic;

    /**
     * @param group whose commits count
     * @param topic full name of the outcomes topic
     */
    public KafkaTakeOver(Admin admin, String group, String topic) {
        this.admin = admin;
        this.group = group;
        this.topic = topic;
    }

    @Override
    public CompletionStage<Bounds> outcomesOf(int number) {
        var partition = new TopicPartition(topic, number);
        CompletableFuture<Long> start = offset(partition, OffsetSpec.earliest());
        CompletableFuture<Long> end = offset(partition, OffsetSpec.latest());
        CompletableFuture<Map<TopicPartition, OffsetAndMetadata>> committed = admin.listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .toCompletionStage()
                .toCompletableFuture();
        return start.thenCombine(committed, (first, offsets) -> {
                    OffsetAndMetadata position = offsets.get(partition);
                    return position == null ? first : Math.max(first, position.offset());
                })
                .thenCombine(end, Bounds::new);
    }

    private CompletableFuture<Long> offset(TopicPartition partition, OffsetSpec which) {
        return admin.listOffsets(Map.of(partition, which))
                .partitionResult(partition)
                .thenApply(ListOffsetsResult.ListOffsetsResultInfo::offset)
                .toCompletionStage()
                .toCompletableFuture();
    }
}
