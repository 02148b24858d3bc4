package io.evenkeel.watcher;

import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.runtime.cluster.ClusterSettings;
import io.evenkeel.runtime.kafka.KafkaSettings;
import io.evenkeel.runtime.kafka.TopicAdmin;
import io.evenkeel.runtime.settings.Secret;
import io.evenkeel.sandbox.kafka.EmbeddedKafka;
import io.evenkeel.sandbox.real.RealKubeApi;
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
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** One Kafka and one real API server for all tests of a class; each test has its own topics and namespace. */
final class World implements AutoCloseable {
    static final String CLUSTER = "test-1";
    private static final int PARTITIONS = 3;

    final EmbeddedKafka kafka = EmbeddedKafka.builder().build();
    final RealKubeApi api;
    private final Path folder;
    private final Path kubeconfig;
    private final AtomicInteger count = new AtomicInteger();

    World(String... apiServerFlags) throws IOException {
        folder = Files.createTempDirectory("watcher-it-");
        kafka.start();
        RealKubeApi.Builder builder = RealKubeApi.builder();
        Arrays.stream(apiServerFlags).forEach(builder::apiServerFlag);
        api = builder.build().start();
        kubeconfig = Files.writeString(folder.resolve("kubeconfig"), api.kubeconfig());
    }

    Path kubeconfig() {
        return kubeconfig;
    }

    KubeHttp kube() {
        return new KubeHttp(api.url(), api.token());
    }

    /** Topics of its own, so that tests do not see each other's logs. */
    TopicLayout layout() {
        TopicLayout layout =
                new TopicLayout("t" + count.incrementAndGet() + ".", PARTITIONS, PARTITIONS, (short) 1, (short) 1);
        try (var admin = new TopicAdmin(KafkaSettings.at(kafka.bootstrapServers()), layout)) {
            admin.apply();
        }
        return layout;
    }

    Started start(TopicLayout layout, String... resources) {
        return start(layout, config(layout.prefix() + "watcher", resources), kubeconfig);
    }

    Started start(TopicLayout layout, WatcherConfig config, Path kubeconfigFile) {
        var registry = new SimpleMeterRegistry();
        var watcher = new Watcher(
                config,
                List.of(new ClusterSettings(CLUSTER, Optional.of(kubeconfigFile), Optional.empty())),
                KafkaSettings.at(kafka.bootstrapServers()),
                layout,
                registry,
                InstantSource.system(),
                new SplittableRandom(7));
        watcher.start();
        return new Started(watcher, registry);
    }

    WatcherConfig config(String group, String... resources) {
        return new WatcherConfig(
                Arrays.stream(resources).map(ResourceName::parse).toList(),
                100,
                200_000,
                Duration.ofMillis(50),
                500,
                1 << 20,
                16 << 20,
                Duration.ofSeconds(150),
                Optional.of(new Secret("a key of the tests, 16 bytes or more")),
                Optional.of(folder.resolve("state-" + count.incrementAndGet())),
                Optional.of(group));
    }

    Path kubeconfigFor(String token) {
        try {
            return Files.writeString(
                    folder.resolve("kubeconfig-" + count.incrementAndGet()),
                    api.kubeconfig().replace(api.token(), token));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        api.close();
        kafka.close();
    }

    /** A watcher and what it counts. */
    record Started(Watcher watcher, MeterRegistry registry) implements AutoCloseable {
        double requests(String verb) {
            Counter counter = registry.find("evenkeel.watcher.api.requests")
                    .tag("verb", verb)
                    .counter();
            return counter == null ? 0 : counter.count();
        }

        @Override
        public void close() {
            watcher.close();
        }
    }
}
