package io.evenkeel.watcher.health;

import io.evenkeel.api.ShardKey;
import io.evenkeel.api.record.ShardState;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Gauges for each cluster of which this process owns a shard: its worst shard counts. Thread-safe. */
public final class ShardGauges {
    private final ShardStatuses statuses;
    private final MeterRegistry registry;
    private final InstantSource clock;
    private final Map<String, OfCluster> clusters = new HashMap<>();

    /** No cluster yet. */
    public ShardGauges(ShardStatuses statuses, MeterRegistry registry, InstantSource clock) {
        this.statuses = statuses;
        this.registry = registry;
        this.clock = clock;
    }

    /** The shard is ours. */
    public synchronized void add(ShardKey shard) {
        clusters.computeIfAbsent(shard.cluster(), OfCluster::new).shards.add(shard);
    }

    /** It is ours no more; with its last shard a cluster's gauges go. */
    public synchronized void remove(ShardKey shard) {
        OfCluster cluster = clusters.get(shard.cluster());
        if (cluster != null && cluster.shards.remove(shard) && cluster.shards.isEmpty()) {
            cluster.meters.forEach(registry::remove);
            clusters.remove(shard.cluster());
        }
    }

    /** Time since it was last proven that nothing of the shard is missing, or else in this state; empty if there is none. */
    private Optional<Duration> age(ShardKey shard) {
        Instant now = clock.instant();
        return statuses.find(shard)
                .filter(status -> status.state() != ShardState.GONE)
                .map(status -> Duration.between(
                        statuses.findProgress(shard)
                                .flatMap(ShardProgress::currentAt)
                                .orElse(status.since()),
                        now));
    }

    private Optional<Duration> lag(ShardKey shard) {
        return statuses.findProgress(shard).map(progress -> progress.lag(clock.instant()));
    }

    /** The shards of one cluster and what is shown of them. */
    private final class OfCluster {
        private final Set<ShardKey> shards = ConcurrentHashMap.newKeySet();
        private final List<Meter> meters = new ArrayList<>();

        OfCluster(String cluster) {
            for (ShardState state : ShardState.values()) {
                meters.add(Gauge.builder("evenkeel.watcher.shards", () -> count(state))
                        .description("shards of this process by state")
                        .tags("cluster", cluster, "state", state.name())
                        .register(registry));
            }
            meters.add(Gauge.builder("evenkeel.watcher.freshness", () -> worstSeconds(ShardGauges.this::age))
                    .description("age of the last proof that a shard is current, of the cluster's oldest")
                    .baseUnit("seconds")
                    .tags("cluster", cluster)
                    .register(registry));
            meters.add(Gauge.builder("evenkeel.watcher.lag", () -> worstSeconds(ShardGauges.this::lag))
                    .description("how long the oldest change that was read has been waiting to be on the log")
                    .baseUnit("seconds")
                    .tags("cluster", cluster)
                    .register(registry));
        }

        private double count(ShardState state) {
            return shards.stream()
                    .filter(shard -> statuses.find(shard)
                            .filter(status -> status.state() == state)
                            .isPresent())
                    .count();
        }

        private double worstSeconds(Function<ShardKey, Optional<Duration>> measure) {
            return shards.stream()
                    .flatMap(shard -> measure.apply(shard).stream())
                    .max(Comparator.naturalOrder())
                    .map(worst -> worst.toMillis() / 1_000.0)
                    .orElse(0.0);
        }
    }
}
