package io.evenkeel.worker.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.record.AttemptOutcome.Result;
import io.evenkeel.worker.dispatch.Permits;
import io.evenkeel.worker.dispatch.Ticket;
import io.evenkeel.worker.dispatch.Total;
import io.evenkeel.worker.ledger.Lane;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class WorkerMetricsTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Permits permits = new Permits(1, 1, new Total(10), cluster -> true);
    private final WorkerMetrics.ControllerMetrics metrics = new WorkerMetrics(registry).of("widgets", permits);

    @Test
    void givenAttemptsOfEachResult_whenCounted_thenBothFamiliesOfNamesAgree() {
        for (Result result : Result.values()) {
            metrics.count(result, Duration.ofMillis(3));
        }
        assertThat(count("controller.reconciles", "success")).isEqualTo(2);
        assertThat(count("controller.reconciles", "fail")).isEqualTo(3);
        assertThat(count("controller.reconciles", "requeue")).isEqualTo(3);
        assertThat(registry.get("controller.errors").counter().count()).isEqualTo(3);
        assertThat(count("controller.runtime.reconcile", "success")).isEqualTo(2);
        assertThat(count("controller.runtime.reconcile", "error")).isEqualTo(3);
        assertThat(count("controller.runtime.reconcile", "requeue")).isEqualTo(2);
        assertThat(count("controller.runtime.reconcile", "requeue_after")).isEqualTo(1);
        assertThat(registry.get("controller.runtime.reconcile.errors").counter().count())
                .isEqualTo(3);
        assertThat(registry.get("controller.runtime.terminal.reconcile.errors")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("controller.deferred").counter().count()).isEqualTo(1);
        assertThat(registry.get("controller.reconcile.duration").timer().count())
                .isEqualTo(Result.values().length);
    }

    @Test
    void givenKeysThatWait_whenRead_thenTheQueueIsAsLongAsTheyAre() {
        permits.offer(ticket("a", Lane.NORMAL));
        permits.offer(ticket("b", Lane.RETRY));
        permits.offer(ticket("c", Lane.URGENT));
        assertThat(registry.get("controller.queue.length").gauge().value()).isEqualTo(2);
        assertThat(registry.get("workqueue.depth")
                        .tag("name", "widgets")
                        .gauge()
                        .value())
                .isEqualTo(2);
        assertThat(registry.get("workqueue.adds").functionCounter().count()).isEqualTo(3);
        assertThat(registry.get("workqueue.retries").functionCounter().count()).isEqualTo(1);
        assertThat(registry.get("controller.runtime.active.workers").gauge().value())
                .isEqualTo(1);
        assertThat(registry.get("controller.runtime.max.concurrent.reconciles")
                        .gauge()
                        .value())
                .isEqualTo(1);
    }

    private double count(String name, String result) {
        return registry.get(name).tag("result", result).counter().count();
    }

    private static Ticket ticket(String key, Lane lane) {
        return new Ticket(key, "local", "default", lane, new Ticket.Holder() {
            @Override
            public void granted(Ticket ticket) {}

            @Override
            public boolean isClosed() {
                return false;
            }
        });
    }
}
