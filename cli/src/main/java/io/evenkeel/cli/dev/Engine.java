package io.evenkeel.cli.dev;

import io.evenkeel.examples.memcached.MemcachedReconciler;
import io.evenkeel.runtime.cluster.ClusterChoice;
import io.evenkeel.runtime.kafka.KafkaSettings;
import io.evenkeel.runtime.kafka.TopicSettings;
import io.evenkeel.runtime.monitoring.HealthChecks;
import io.evenkeel.runtime.monitoring.Metrics;
import io.evenkeel.runtime.process.ProcessLife;
import io.evenkeel.runtime.role.RoleProcess;
import io.evenkeel.runtime.settings.Settings;
import io.evenkeel.watcher.Watcher;
import io.evenkeel.watcher.WatcherConfig;
import io.evenkeel.worker.WorkerProcess;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watcher and worker, in one process.
 *
 * @param watcher turns changes into the log
 * @param worker runs the example operator
 */
record Engine(Watcher watcher, WorkerProcess worker) {
    private static final Logger log = LoggerFactory.getLogger(Engine.class);
    private static final Duration PATIENCE = Duration.ofSeconds(12);

    /** Starts both; the topics must exist. */
    static Engine start(Settings settings, Metrics metrics, HealthChecks checks, ProcessLife life) {
        var watcher = new Watcher(
                settings.as(WatcherConfig::from),
                settings.as(ClusterChoice::from).open(),
                settings.as(KafkaSettings::from),
                settings.as(TopicSettings::from),
                metrics.registry(),
                Clock.systemUTC(),
                new SplittableRandom());
        life.add("watcher", watcher);
        watcher.start();
        var host = new RoleProcess.Host(metrics, checks, life);
        WorkerProcess worker = life.add("worker", MemcachedReconciler.worker().host(settings, host));
        checks.add(HealthChecks.Kind.READY, "watcher", watcher::notReady);
        return new Engine(watcher, worker);
    }

    /** Waits until both do their work; what takes longer than people should wait is left to {@code /readyz}. */
    void awaitReady() throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        var pause = new CountDownLatch(1); // counted down by nobody: a wait that an interrupt ends
        Optional<String> problem = problem();
        while (problem.isPresent() && System.nanoTime() < deadline) {
            if (pause.await(20, TimeUnit.MILLISECONDS)) {
                return;
            }
            problem = problem();
        }
        problem.ifPresent(
                reason -> log.atWarn().addKeyValue("reason", reason).log("not ready yet; /readyz tells when it is"));
    }

    private Optional<String> problem() {
        return watcher.notReady().or(worker::notReadyBecause);
    }
}
