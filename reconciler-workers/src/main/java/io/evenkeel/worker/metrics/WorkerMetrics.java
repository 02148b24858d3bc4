package io.evenkeel.worker.metrics;

import io.evenkeel.api.record.AttemptOutcome.Result;
import io.evenkeel.worker.dispatch.Permits;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;

/** The counts that a worker exposes. No label holds an object's name. Thread-safe. */
public final class WorkerMetrics {
    private final MeterRegistry registry;

    /** @param registry where they are read */
    public WorkerMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    /** The counts of one controller; the queue's length is read from its permits. */
    public ControllerMetrics of(String controller, Permits permits) {
        Gauge.builder("controller.queue.length", permits, Permits::waiting)
                .description("Keys that wait for a permit.")
                .tag("controller", controller)
                .register(registry);
        Gauge.builder("controller.queue.withheld", permits, Permits::withheld)
                .description("Keys that wait for a cluster that is unreachable or not configured.")
                .tag("controller", controller)
                .register(registry);
        Gauge.builder("controller.active.reconciles", permits, Permits::running)
                .description("Attempts that run.")
                .tag("controller", controller)
                .register(registry);
        return new ControllerMetrics(
                reconciles(controller, "success"),
                reconciles(controller, "fail"),
                reconciles(controller, "requeue"),
                counter("controller.errors", "Attempts that failed.", controller),
                counter("controller.abandoned", "Handlers that went on after their timeout.", controller),
                counter("controller.parked", "Keys that were parked as dead letters.", controller),
                Timer.builder("controller.reconcile.duration")
                        .description("Time from the start of an attempt to its outcome.")
                        .publishPercentileHistogram()
                        .minimumExpectedValue(Duration.ofMillis(1))
                        .maximumExpectedValue(Duration.ofMinutes(1))
                        .tag("controller", controller)
                        .register(registry));
    }

    /** Records that could not be read and were put aside. */
    public Counter undecodable(String topic) {
        return Counter.builder("evenkeel.worker.undecodable.records")
                .description("Records that could not be read and were put aside.")
                .tag("topic", topic)
                .register(registry);
    }

    private Counter reconciles(String controller, String result) {
        return Counter.builder("controller.reconciles")
                .description("Total number of reconciliations per controller and result.")
                .tag("controller", controller)
                .tag("result", result)
                .register(registry);
    }

    private Counter counter(String name, String description, String controller) {
        return Counter.builder(name)
                .description(description)
                .tag("controller", controller)
                .register(registry);
    }

    /**
     * The counts of one controller.
     *
     * @param success attempts that ended well
     * @param fail attempts that failed
     * @param requeue attempts that asked to be called again
     * @param errors attempts that failed, under the name that alerts use
     * @param abandoned handlers that went on after their timeout and were left behind
     * @param parked keys that were parked
     * @param duration of attempts
     */
    public record ControllerMetrics(
            Counter success,
            Counter fail,
            Counter requeue,
            Counter errors,
            Counter abandoned,
            Counter parked,
            Timer duration) {
        /** Counts an attempt. */
        public void count(Result result, Duration took) {
            duration.record(took);
            switch (result) {
                case DONE, WAITING -> success.increment();
                case REQUEUE, INTERRUPTED, DEFERRED -> requeue.increment();
                case FAILED, FAILED_FOR_GOOD, WORKER_LOST -> {
                    fail.increment();
                    errors.increment();
                }
            }
        }
    }
}
