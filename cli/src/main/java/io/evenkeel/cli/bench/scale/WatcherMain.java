package io.evenkeel.cli.bench.scale;

import io.evenkeel.api.record.ShardState;
import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.runtime.cluster.ClusterChoice;
import io.evenkeel.runtime.kafka.KafkaSettings;
import io.evenkeel.runtime.settings.SettingsReader;
import io.evenkeel.watcher.Watcher;
import io.evenkeel.watcher.WatcherConfig;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.PrintStream;
import java.time.Clock;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** A process that is one watcher until all its shards are live, says what it came to, and ends. */
public final class WatcherMain {
    private static final int POLL_MILLIS = 100;

    private WatcherMain() {}

    /** @param args Kafka's address, topic prefix, partitions, folder of kubeconfigs, resources with commas between, shards */
    public static void main(String[] args) throws InterruptedException {
        long begun = System.nanoTime();
        var partitions = Integer.parseInt(args[2]);
        var layout = new TopicLayout(args[1], partitions, partitions, (short) 1, (short) 1);
        var settings = SettingsReader.of(WatcherConfig.CATALOGUE, ClusterChoice.CATALOGUE)
                .program(
                        "bench",
                        Map.of(
                                ClusterChoice.FOLDER.key(), args[3],
                                WatcherConfig.RESOURCES.key(), args[4],
                                WatcherConfig.REDACTION_KEY.key(), "only for measurements"))
                .read();
        var registry = new SimpleMeterRegistry();
        try (var watcher = new Watcher(
                settings.as(WatcherConfig::from),
                settings.as(ClusterChoice::from).open(),
                KafkaSettings.at(args[0]),
                layout,
                registry,
                Clock.systemUTC(),
                new SplittableRandom())) {
            watcher.start();
            int shards = Integer.parseInt(args[5]);
            while (live(watcher) < shards) {
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            }
            print(System.out, Footprint.now(begun, lists(registry), shards / args[4].split(",", -1).length, 0));
        }
    }

    private static long live(Watcher watcher) {
        return watcher.shards().values().stream()
                .filter(shard -> shard.state() == ShardState.LIVE)
                .count();
    }

    private static long lists(SimpleMeterRegistry registry) {
        return (long) registry.find("evenkeel.watcher.api.requests").tag("verb", "list").counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }

    static void print(PrintStream out, Footprint footprint) {
        out.println(footprint.line());
        out.flush();
    }
}
