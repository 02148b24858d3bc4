package io.evenkeel.watcher.publish;

import io.evenkeel.api.ShardKey;
import io.evenkeel.api.record.ChangeType;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Counts what went to the log. Thread-safe. */
public final class PublishMetrics {
    private final MeterRegistry registry;
    private final Counter transactions;
    private final Counter records;
    private final Counter bytes;
    private final Map<String, Counter> counters = new ConcurrentHashMap<>();

    /** Registers the meters. */
    public PublishMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.transactions = registry.counter("evenkeel.watcher.transactions");
        this.records = registry.counter("evenkeel.watcher.records");
        this.bytes = registry.counter("evenkeel.watcher.bytes");
    }

    void event(ShardKey shard, ChangeType type) {
        counters.computeIfAbsent(
                        shard.cluster() + "/" + type,
                        unused -> registry.counter(
                                "evenkeel.watcher.events", "cluster", shard.cluster(), "type", type.name()))
                .increment();
    }

    void gap(ShardKey shard) {
        counters.computeIfAbsent(
                        shard.cluster(),
                        unused -> registry.counter("evenkeel.watcher.gaps", "cluster", shard.cluster()))
                .increment();
    }

    void committed(int sent, long size) {
        transactions.increment();
        records.increment(sent);
        bytes.increment((double) size);
    }
}
