package io.evenkeel.watcher;

import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.runtime.cluster.ClusterChoice;
import io.evenkeel.runtime.cluster.ClusterSettings;
import io.evenkeel.runtime.kafka.KafkaSettings;
import io.evenkeel.runtime.kafka.TopicAdmin;
import io.evenkeel.runtime.settings.Secret;
import io.evenkeel.sandbox.kafka.EmbeddedKafka;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** One Kafka for all tests of a class; each test has its own topics. */
final class LogWorld implements AutoCloseable {
    static final String CLUSTER = "test-1";
    static final long BACKLOG_BYTES = 1 << 20;
    private static final List<ResourceName> EXCLUDED =
            WatcherConfig.EXCLUDE.fallback().stream().map(ResourceName::parse).toList();
    private static final int PARTITIONS = 3;

    final EmbeddedKafka kafka;
    private final short replicas;
    private final Path folder;
    private final AtomicInteger count = new AtomicInteger();

    LogWorld() {
        this(1);
    }

    /** @param brokers 1, or 3 for topics with a replica on each */
    LogWorld(int brokers) {
        this.kafka = EmbeddedKafka.builder().brokers(brokers).build();
        this.replicas = (short) brokers;
        try {
            folder = Files.createTempDirectory("watcher-it-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        kafka.start();
    }

    /** Topics of its own, so that tests do not see each other's logs. */
    TopicLayout layout() {
        return layout(PARTITIONS);
    }

    TopicLayout layout(int partitions) {
        short inSync = (short) (replicas / 2 + 1);
        var layout = new TopicLayout("t" + count.incrementAndGet() + ".", partitions, partitions, replicas, inSync);
        try (var admin = new TopicAdmin(KafkaSettings.at(kafka.bootstrapServers()), layout)) {
            admin.apply();
        }
        return layout;
    }

    Started start(TopicLayout layout, WatcherConfig config, Path kubeconfigFile) {
        return start(layout, config, single(CLUSTER, kubeconfigFile));
    }

    static ClusterChoice single(String id, Path kubeconfigFile) {
        return new ClusterChoice.Single(new ClusterSettings(id, Optional.of(kubeconfigFile), Optional.empty()));
    }

    Started start(TopicLayout layout, WatcherConfig config, ClusterChoice clusters) {
        return start(KafkaSettings.at(kafka.bootstrapServers()), layout, config, clusters);
    }

    /** @param properties of all clients beside where Kafka is */
    static KafkaSettings kafka(String bootstrapServers, Map<String, String> properties) {
        var all = new HashMap<>(properties);
        all.put("bootstrap.servers", bootstrapServers);
        return new KafkaSettings(all);
    }

    static Started start(KafkaSettings kafka, TopicLayout layout, WatcherConfig config, ClusterChoice clusters) {
        var registry = new SimpleMeterRegistry();
        var watcher = new Watcher(
                config, clusters.open(), kafka, layout, registry, InstantSource.system(), new SplittableRandom(7));
        watcher.start();
        return new Started(watcher, registry);
    }

    WatcherConfig config(String group, String... resources) {
        return config(group, Duration.ofSeconds(150), resources);
    }

    WatcherConfig config(String group, Duration silence, String... resources) {
        return config(folder.resolve("state-" + count.incrementAndGet()), group, silence, resources);
    }

    static WatcherConfig config(Path stateDir, String group, Duration silence, String... resources) {
        return new WatcherConfig(
                Arrays.stream(resources).map(WatchedResource::parse).toList(),
                EXCLUDED,
                100,
                200_000,
                Duration.ofMillis(50),
                500,
                BACKLOG_BYTES,
                16 << 20,
                silence,
                Optional.of(new Secret("a key of the tests, 16 bytes or more")),
                Optional.of(stateDir),
                Optional.of(group),
                List.of());
    }

    Path write(String kubeconfig) {
        try {
            return Files.writeString(folder.resolve("kubeconfig-" + count.incrementAndGet()), kubeconfig);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        kafka.close();
    }

    /** A watcher and what it counts. */
    record Started(Watcher watcher, MeterRegistry registry) implements AutoCloseable {
        double requests(String verb) {
            return count("evenkeel.watcher.api.requests", "verb", verb);
        }

        double count(String counter, String... tags) {
            return registry.find(counter).tags(tags).counters().stream()
                    .mapToDouble(Counter::count)
                    .sum();
        }

        @Override
        public void close() {
            watcher.close();
        }
    }
}
