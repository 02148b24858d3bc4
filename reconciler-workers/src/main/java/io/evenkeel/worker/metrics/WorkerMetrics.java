package io.evenkeel.worker.metrics;

import io.evenkeel.api.record.AttemptOutcome.Result;
import io.evenkeel.worker.dispatch.Permits;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * The counts that a worker exposes, also under the names that dashboards and alerts for controller-runtime know. No label
 * holds an object's name. Thread-safe.
 */
public final class WorkerMetrics {
    private final MeterRegistry registry;

    /** @param registry where they are read */
    public WorkerMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    /** The counts of one controller; the queue's length is read from its permits. */
    public ControllerMetrics of(String controller, Permits permits) {
        var tags = List.of(Tag.of("controller", controller));
        gauge("controller.queue.length", "Keys that wait for a permit.", tags, permits, Permits::waiting);
        gauge(
                "controller.queue.withheld",
                "Keys that wait for a cluster that is unreachable, not configured or paused.",
                tags,
                permits,
                Permits::withheld);
        gauge("controller.active.reconciles", "Attempts that run.", tags, permits, Permits::running);
        gauge("controller.runtime.active.workers", "Attempts that run.", tags, permits, Permits::running);
        gauge(
                "controller.runtime.max.concurrent.reconciles",
                "Most attempts at one time.",
                tags,
                permits,
                Permits::limit);
        var queue = List.of(Tag.of("controller", controller), Tag.of("name", controller));
        gauge("workqueue.depth", "Keys that wait for a permit.", queue, permits, Permits::waiting);
        total("workqueue.adds", "Keys that were queued.", queue, permits, Permits::offers);
        total("workqueue.retries", "Keys that were queued for a retry or requeue.", queue, permits, Permits::retries);
        return new ControllerMetrics(
                results("controller.reconciles", controller, "success", "fail", "requeue"),
                results("controller.runtime.reconcile", controller, "success", "error", "requeue", "requeue_after"),
                List.of(
                        counter("controller.errors", "Attempts that failed.", controller),
                        counter("controller.runtime.reconcile.errors", "Attempts that failed.", controller)),
                counter(
                        "controller.runtime.terminal.reconcile.errors",
                        "Attempts that failed in a way that no further one can mend.",
                        controller),
                counter(
                        "controller.deferred",
                        "Attempts that were put off because an API server asked for patience or did not answer.",
                        controller),
                counter("controller.abandoned", "Handlers that went on after their timeout.", controller),
                counter("controller.parked", "Keys that were parked as dead letters.", controller),
                List.of(
                        timer("controller.reconcile.duration", controller),
                        timer("controller.runtime.reconcile.time", controller)));
    }

    /** Records that could not be read and were put aside. */
    public Counter undecodable(String topic) {
        return Counter.builder("evenkeel.worker.undecodable.records")
                .description("Records that could not be read and were put aside.")
                .tag("topic", topic)
                .register(registry);
    }

    private <T> void gauge(String name, String description, List<Tag> tags, T of, ToDoubleFunction<T> value) {
        Gauge.builder(name, of, value).description(description).tags(tags).register(registry);
    }

    private <T> void total(String name, String description, List<Tag> tags, T of, ToDoubleFunction<T> value) {
        FunctionCounter.builder(name, of, value)
                .description(description)
                .tags(tags)
                .register(registry);
    }

    private Map<String, Counter> results(String name, String controller, String... results) {
        return List.of(results).stream()
                .collect(Collectors.toUnmodifiableMap(
                        result -> result,
                        result -> Counter.builder(name)
                                .description("Total number of reconciliations per controller and result.")
                                .tag("controller", controller)
                                .tag("result", result)
                                .register(registry)));
    }

    private Counter counter(String name, String description, String controller) {
        return Counter.builder(name)
                .description(description)
                .tag("controller", controller)
                .register(registry);
    }

    private Timer timer(String name, String controller) {
        return Timer.builder(name)
                .description("Time from the start of an attempt to its outcome.")
                .publishPercentileHistogram()
                .minimumExpectedValue(Duration.ofMillis(1))
                .maximumExpectedValue(Duration.ofMinutes(1))
                .tag("controller", controller)
                .register(registry);
    }

    /**
     * The counts of one controller.
     *
     * @param results attempts by result
     * @param runtimeResults the same by the results of controller-runtime
     * @param errors attempts that failed
     * @param terminal those that no further attempt can mend
     * @param deferred attempts that were put off
     * @param abandoned handlers that went on after their timeout and were left behind
     * @param parked keys that were parked
     * @param durations of attempts
     */
    public record ControllerMetrics(
            Map<String, Counter> results,
            Map<String, Counter> runtimeResults,
            List<Counter> errors,
            Counter terminal,
            Counter deferred,
            Counter abandoned,
            Counter parked,
            List<Timer> durations) {
        /** Counts an attempt. */
        public void count(Result result, Duration took) {
            durations.forEach(timer -> timer.record(took));
            switch (result) {
                case DONE, WAITING -> count("success", "success");
                case REQUEUE -> count("requeue", "requeue_after");
                case INTERRUPTED -> count("requeue", "requeue");
                case DEFERRED -> {
                    count("requeue", "requeue");
                    deferred.increment();
                }
                case FAILED, WORKER_LOST -> failed();
                case FAILED_FOR_GOOD -> {
                    failed();
                    terminal.increment();
                }
            }
        }

        private void failed() {
            count("fail", "error");
            errors.forEach(Counter::increment);
        }

        private void count(String result, String runtimeResult) {
            counter(results, result).increment();
            counter(runtimeResults, runtimeResult).increment();
        }

        private static Counter counter(Map<String, Counter> counters, String result) {
            return Objects.requireNonNull(counters.get(result), result);
        }
    }
}
