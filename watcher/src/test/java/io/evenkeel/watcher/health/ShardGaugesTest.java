package io.evenkeel.watcher.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.ShardKey;
import io.evenkeel.api.record.ShardState;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class ShardGaugesTest {
    private static final Instant START = Instant.parse("2026-11-30T09:00:00Z");
    private static final ShardKey PODS = new ShardKey("eu-1", "", "pods");
    private static final ShardKey SERVICES = new ShardKey("eu-1", "", "services");
    private static final ShardKey WIDGETS = new ShardKey("eu-1", "example.com", "widgets");
    private static final ShardKey OTHER = new ShardKey("eu-2", "", "pods");

    private Instant now = START;
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final ShardStatuses statuses = new ShardStatuses(() -> now, shard -> 0);
    private final ShardGauges gauges = new ShardGauges(statuses, registry, () -> now);

    @Test
    void givenShards_whenRead_thenTheClustersWorstCountsAndGoneOnesDoNot() {
        set(PODS, ShardState.LIVE);
        set(SERVICES, ShardState.FORBIDDEN);
        set(WIDGETS, ShardState.GONE);
        set(OTHER, ShardState.LIVE);
        statuses.progress(PODS).proven(START.plusSeconds(50));
        statuses.progress(PODS).read(START.plusSeconds(58));
        statuses.progress(OTHER).proven(START.plusSeconds(60));
        now = START.plusSeconds(60);

        assertThat(gauge("evenkeel.watcher.freshness", "eu-1")).isEqualTo(60);
        assertThat(gauge("evenkeel.watcher.freshness", "eu-2")).isZero();
        assertThat(gauge("evenkeel.watcher.lag", "eu-1")).isEqualTo(2);
        assertThat(shards("eu-1", ShardState.LIVE)).isEqualTo(1);
        assertThat(shards("eu-1", ShardState.FORBIDDEN)).isEqualTo(1);
        assertThat(shards("eu-1", ShardState.SYNCING)).isZero();
    }

    @Test
    void givenLastShardOfACluster_whenItGoes_thenItsGaugesGo() {
        set(PODS, ShardState.LIVE);
        set(OTHER, ShardState.LIVE);

        gauges.remove(PODS);
        gauges.remove(PODS);

        assertThat(registry.find("evenkeel.watcher.shards")
                        .tag("cluster", "eu-1")
                        .gauges())
                .isEmpty();
        assertThat(registry.find("evenkeel.watcher.shards")
                        .tag("cluster", "eu-2")
                        .gauges())
                .isNotEmpty();
    }

    private void set(ShardKey shard, ShardState state) {
        gauges.add(shard);
        statuses.begin(shard);
        statuses.set(shard, state, "");
    }

    private double gauge(String name, String cluster) {
        return registry.get(name).tag("cluster", cluster).gauge().value();
    }

    private double shards(String cluster, ShardState state) {
        return registry.get("evenkeel.watcher.shards")
                .tags("cluster", cluster, "state", state.name())
                .gauge()
                .value();
    }
}
