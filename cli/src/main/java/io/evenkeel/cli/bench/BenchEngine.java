package io.evenkeel.cli.bench;

import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.reconciler.Worker;
import io.evenkeel.runtime.cluster.ClusterChoice;
import io.evenkeel.runtime.kafka.KafkaSettings;
import io.evenkeel.runtime.kafka.TopicAdmin;
import io.evenkeel.runtime.kafka.TopicSettings;
import io.evenkeel.runtime.monitoring.Metrics;
import io.evenkeel.runtime.process.ProcessLife;
import io.evenkeel.runtime.settings.Settings;
import io.evenkeel.runtime.settings.SettingsReader;
import io.evenkeel.watcher.Watcher;
import io.evenkeel.watcher.WatcherConfig;
import io.evenkeel.worker.WorkerConfig;
import io.evenkeel.worker.WorkerProcess;
import io.micrometer.core.instrument.DistributionSummary;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Topics and, on demand, watcher and worker, which are what is measured. */
final class BenchEngine implements AutoCloseable {
    private static final Duration STOP_LIMIT = Duration.ofSeconds(20);

    private final ProcessLife life = new ProcessLife(STOP_LIMIT);
    private final Metrics metrics = life.add("metrics", new Metrics());
    private final Map<String, String> values;
    private final Settings settings;

    BenchEngine(Map<String, String> values) {
        this.values = Map.copyOf(values);
        settings = SettingsReader.of(
                        KafkaSettings.CATALOGUE,
                        TopicSettings.CATALOGUE,
                        ClusterChoice.CATALOGUE,
                        WatcherConfig.CATALOGUE,
                        WorkerConfig.CATALOGUE)
                .program("bench", values)
                .read();
        try (var topics = new TopicAdmin(kafka(), layout())) {
            topics.apply();
        }
    }

    /** Its settings, for another process that joins it. */
    Map<String, String> values() {
        return values;
    }

    KafkaSettings kafka() {
        return settings.as(KafkaSettings::from);
    }

    TopicLayout layout() {
        return settings.as(TopicSettings::from);
    }

    Watcher startWatcher() {
        var watcher = new Watcher(
                settings.as(WatcherConfig::from),
                settings.as(ClusterChoice::from).open(),
                kafka(),
                layout(),
                metrics.registry(),
                Clock.systemUTC(),
                new SplittableRandom());
        life.add("watcher", watcher);
        watcher.start();
        return watcher;
    }

    WorkerProcess startWorker(Worker worker) {
        return life.add("worker", WorkerProcess.start(worker, settings.as(WorkerConfig::from), metrics.registry()));
    }

    /** Hands every event that comes to the log from now on to {@code each}, on a thread of its own. */
    void listen(Consumer<ConsumerRecord<byte[], byte[]>> each) {
        life.add("events", new EventListener(kafka(), layout(), each));
    }

    /** Records that the watcher has committed so far. */
    long committedRecords() {
        return (long) transactions().totalAmount();
    }

    /** Transactions that the watcher has committed so far. */
    long committedTransactions() {
        return transactions().count();
    }

    private DistributionSummary transactions() {
        return metrics.registry().get("evenkeel.watcher.transaction.records").summary();
    }

    @Override
    public void close() {
        life.close();
    }
}
