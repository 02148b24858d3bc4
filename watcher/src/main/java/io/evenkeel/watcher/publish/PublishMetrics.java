package io.evenkeel.watcher.publish;

import io.evenkeel.api.ShardKey;
import io.evenkeel.api.record.ChangeType;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Counts what went to the log. Thread-safe. */
public final class PublishMetrics {
    private static final Duration[] BOUNDS = Stream.of(3, 10, 30, 100, 300, 1_000, 10_000)
            .map(Duration::ofMillis)
            .toArray(Duration[]::new);

    private final MeterRegistry registry;
    private final DistributionSummary records;
    private final DistributionSummary bytes;
    private final Timer time;
    private final Map<String, Counter> counters = new ConcurrentHashMap<>();

    /** Registers the meters. */
    public PublishMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.records = DistributionSummary.builder("evenkeel.watcher.transaction.records")
                .description("records of a transaction")
                .serviceLevelObjectives(3, 10, 100, 1_000, 10_000)
                .register(registry);
        this.bytes = DistributionSummary.builder("evenkeel.watcher.transaction.bytes")
                .description("bytes of a transaction")
                .serviceLevelObjectives(1 << 10, 16 << 10, 256 << 10, 4 << 20, 16 << 20)
                .register(registry);
        this.time = Timer.builder("evenkeel.watcher.transaction.time")
                .description("from the first record of a transaction until it is committed")
                .serviceLevelObjectives(BOUNDS)
                .register(registry);
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

    void committed(int sent, long size, Duration age) {
        records.record(sent);
        bytes.record((double) size);
        time.record(age);
    }
}
