package io.evenkeel.watcher.publish;

import io.evenkeel.api.ShardKey;
import io.evenkeel.api.record.ChangeType;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
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
    private final Map<Counted, Counter> counters = new ConcurrentHashMap<>();
    private final Predicate<String> watched;

    /**
     * Registers the meters of transactions.
     *
     * @param watched whether a cluster is watched; what still comes of another is not counted, so that its meters stay away
     */
    public PublishMetrics(MeterRegistry registry, Predicate<String> watched) {
        this.registry = registry;
        this.watched = watched;
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

    /**
     * What is counted.
     *
     * @param type of the event; absent for gaps
     */
    private record Counted(String cluster, Optional<ChangeType> type) {}

    void event(ShardKey shard, ChangeType type) {
        count(new Counted(shard.cluster(), Optional.of(type)));
    }

    void gap(ShardKey shard) {
        count(new Counted(shard.cluster(), Optional.empty()));
    }

    private void count(Counted what) {
        Counter counter = counters.get(what);
        if (counter != null) {
            counter.increment();
        } else {
            countFirst(what);
        }
    }

    private synchronized void countFirst(Counted what) {
        if (watched.test(what.cluster())) {
            counters.computeIfAbsent(what, this::counter).increment();
        }
    }

    private Counter counter(Counted what) {
        return what.type()
                .map(type ->
                        registry.counter("evenkeel.watcher.events", "cluster", what.cluster(), "type", type.name()))
                .orElseGet(() -> registry.counter("evenkeel.watcher.gaps", "cluster", what.cluster()));
    }

    /** Removes the meters of a cluster that is watched no longer. */
    public synchronized void forget(String cluster) {
        counters.entrySet().removeIf(entry -> {
            boolean gone = entry.getKey().cluster().equals(cluster);
            if (gone) {
                registry.remove(entry.getValue());
            }
            return gone;
        });
    }

    void committed(int sent, long size, Duration age) {
        records.record(sent);
        bytes.record((double) size);
        time.record(age);
    }
}
