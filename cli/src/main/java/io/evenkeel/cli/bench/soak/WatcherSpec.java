package io.evenkeel.cli.bench.soak;

import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.runtime.cluster.ClusterChoice;
import io.evenkeel.runtime.kafka.KafkaSettings;
import io.evenkeel.watcher.WatchedResource;
import io.evenkeel.watcher.Watcher;
import io.evenkeel.watcher.WatcherConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * The watcher of a group of seeds.
 *
 * @param bootstrapServers of Kafka
 * @param prefix of its topics and its group
 * @param kubeconfigs folder with one file per cluster, called like it
 * @param resources what it watches
 */
record WatcherSpec(String bootstrapServers, String prefix, Path kubeconfigs, List<String> resources) {
    private static final int PARTITIONS = 3;
    /** So short that lists of a few objects have pages. */
    private static final int PAGE_SIZE = 3;

    private static final int TRANSACTION_EVENTS = 20;
    private static final Duration TRANSACTION_AGE = Duration.ofMillis(20);
    private static final Duration REFRESH = Duration.ofMinutes(1);
    private static final Duration SILENCE = Duration.ofSeconds(2);

    TopicLayout layout() {
        return new TopicLayout(prefix, PARTITIONS, PARTITIONS, (short) 1, (short) 1);
    }

    /** A watcher in this process, started. */
    Watcher start() {
        var config = new WatcherConfig(
                resources.stream().map(WatchedResource::parse).toList(),
                List.of(),
                PAGE_SIZE,
                200_000,
                TRANSACTION_AGE,
                TRANSACTION_EVENTS,
                1 << 20,
                16 << 20,
                SILENCE,
                Optional.empty(),
                Optional.empty(),
                Optional.of(prefix + "watcher"),
                List.of());
        var watcher = new Watcher(
                config,
                new ClusterChoice.Folder(kubeconfigs, REFRESH).open(),
                KafkaSettings.at(bootstrapServers),
                layout(),
                new SimpleMeterRegistry(),
                InstantSource.system(),
                new SplittableRandom());
        watcher.start();
        return watcher;
    }
}
