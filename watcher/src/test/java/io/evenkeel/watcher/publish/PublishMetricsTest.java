package io.evenkeel.watcher.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.ShardKey;
import io.evenkeel.api.record.ChangeType;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class PublishMetricsTest {
    private static final ShardKey GOING = new ShardKey("eu-1", "", "pods");
    private static final ShardKey STAYING = new ShardKey("eu-2", "", "pods");

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Set<String> watched = new HashSet<>(Set.of("eu-1", "eu-2"));
    private final PublishMetrics metrics = new PublishMetrics(registry, watched::contains);

    @Test
    void givenAClusterThatIsForgotten_whenItsLastEventsCome_thenItsMetersStayAwayAndOthersCountOn() {
        metrics.event(GOING, ChangeType.ADDED);
        metrics.gap(GOING);
        metrics.event(STAYING, ChangeType.ADDED);

        watched.remove("eu-1");
        metrics.forget("eu-1");
        metrics.event(GOING, ChangeType.DELETED);
        metrics.gap(GOING);
        metrics.event(STAYING, ChangeType.ADDED);

        assertThat(registry.find("evenkeel.watcher.events").counters())
                .singleElement()
                .satisfies(counter -> {
                    assertThat(counter.getId().getTag("cluster")).isEqualTo("eu-2");
                    assertThat(counter.count()).isEqualTo(2);
                });
        assertThat(registry.find("evenkeel.watcher.gaps").counters()).isEmpty();
    }

    @Test
    void givenAClusterThatReturns_whenItIsCounted_thenFromZero() {
        metrics.gap(GOING);
        watched.remove("eu-1");
        metrics.forget("eu-1");

        watched.add("eu-1");
        metrics.gap(GOING);

        assertThat(registry.find("evenkeel.watcher.gaps").counters())
                .extracting(Counter::count)
                .containsExactly(1.0);
    }
}
