package io.evenkeel.cli.bench;

import io.evenkeel.runtime.cluster.ClusterSettings;
import io.evenkeel.runtime.kafka.KafkaSettings;
import io.evenkeel.runtime.kafka.TopicSettings;
import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.process.ProcessLife;
import io.evenkeel.runtime.process.StartupException;
import io.evenkeel.sandbox.TemporaryFolder;
import io.evenkeel.sandbox.kafka.EmbeddedKafka;
import io.evenkeel.sandbox.kube.KubeSim;
import io.evenkeel.sandbox.real.KubeBinaries;
import io.evenkeel.sandbox.real.RealKubeApi;
import io.evenkeel.watcher.WatcherConfig;
import io.evenkeel.worker.WorkerConfig;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Kafka and a Kubernetes API for measurements, temporary and, apart from a real API server, in this process. */
final class BenchWorld implements AutoCloseable {
    /** The kind that is measured with: small, and nobody else's controllers touch it. */
    static final String RESOURCE = "configmaps";

    /** Where its objects are. */
    static final String NAMESPACE = "default";

    /** What is not measured, so that an object has a usual size. */
    static final String PAYLOAD = "x".repeat(500);

    /** What the names of its objects begin with. */
    static final String PREFIX = "bench-";

    /** The client opens one connection of at most 100 streams. */
    private static final int MOST_AT_ONCE = 64;

    private static final Duration STOP_LIMIT = Duration.ofSeconds(20);

    private final ProcessLife life = new ProcessLife(STOP_LIMIT);
    private final Path folder;
    private final String kubernetes;
    private final Map<String, String> settings;
    private final KubernetesClient client;

    private record Api(String name, String kubeconfig, AutoCloseable part) {}

    BenchWorld(Map<String, String> environment) {
        folder = TemporaryFolder.create("bench");
        life.add("folder", () -> TemporaryFolder.delete(folder));
        try {
            EmbeddedKafka kafka =
                    life.add("Kafka", EmbeddedKafka.builder().build().start());
            Api api = api(environment);
            life.add("Kubernetes API", api.part);
            kubernetes = api.name;
            Path kubeconfig = write("kubeconfig", api.kubeconfig);
            settings = Map.of(
                    KafkaSettings.BOOTSTRAP_SERVERS.key(), kafka.bootstrapServers(),
                    TopicSettings.PARTITIONS.key(), "4",
                    TopicSettings.WATCH_STATE_PARTITIONS.key(), "4",
                    TopicSettings.REPLICATION_FACTOR.key(), "1",
                    TopicSettings.MIN_INSYNC_REPLICAS.key(), "1",
                    ClusterSettings.KUBECONFIG.key(), kubeconfig.toString(),
                    WatcherConfig.RESOURCES.key(), RESOURCE,
                    WatcherConfig.REDACTION_KEY.key(), "only for measurements",
                    WorkerConfig.STREAM_THREADS.key(),
                            Integer.toString(Runtime.getRuntime().availableProcessors()),
                    WorkerConfig.DRAIN_TIMEOUT.key(), "1000");
            client = life.add(
                    "client",
                    new KubernetesClientBuilder()
                            .withConfig(Config.fromKubeconfig(kubeconfig.toFile()))
                            .withHttpClientFactory(new JdkHttpClientFactory())
                            .build());
        } catch (IOException e) {
            life.close();
            throw new UncheckedIOException("the measurement could not be prepared", e);
        } catch (RuntimeException e) {
            life.close();
            throw e;
        }
    }

    private static Api api(Map<String, String> environment) throws IOException {
        if (KubeBinaries.search(environment) instanceof KubeBinaries.Search.Found) {
            // It shares the processors with what is measured, so it does without fairness among its clients.
            RealKubeApi real = RealKubeApi.builder()
                    .apiServerFlag("--enable-priority-and-fairness=false")
                    .build()
                    .start();
            return new Api("real", real.kubeconfig(), real);
        }
        KubeSim sim = KubeSim.builder().start();
        return new Api("sim", sim.kubeconfig(), sim);
    }

    /** Which Kubernetes API it is: {@code real} or {@code sim}. */
    String kubernetes() {
        return kubernetes;
    }

    KubernetesClient client() {
        return client;
    }

    /**
     * An engine on topics of its own, so that it knows nothing of what another one did before.
     *
     * @param topicPrefix no other engine of this world may have it
     */
    BenchEngine engine(String topicPrefix) {
        var all = new HashMap<>(settings);
        all.put(TopicSettings.PREFIX.key(), topicPrefix);
        return new BenchEngine(all);
    }

    /** As {@link #engine(String)}, for another API server and other resources. */
    BenchEngine engine(String topicPrefix, String kubeconfig, List<String> resources) {
        var all = new HashMap<>(settings);
        all.put(TopicSettings.PREFIX.key(), topicPrefix);
        all.put(
                ClusterSettings.KUBECONFIG.key(),
                write(topicPrefix + "kubeconfig", kubeconfig).toString());
        all.put(WatcherConfig.RESOURCES.key(), String.join(",", resources));
        return new BenchEngine(all);
    }

    private Path write(String name, String text) {
        try {
            return Files.writeString(folder.resolve(name), text, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Name of an object of {@link #createObjects}, from 0. */
    static String name(int number) {
        return PREFIX + number;
    }

    /** Creates so many ConfigMaps. */
    void createObjects(int count) throws InterruptedException {
        createObjects(count, 0);
    }

    /** Creates ConfigMaps until there are {@code count}, of which {@code present} are there. */
    void createObjects(int count, int present) throws InterruptedException {
        try (var load = new Load(MOST_AT_ONCE)) {
            for (int number = present; number < count; number++) {
                ConfigMap object = object(name(number));
                load.start(() -> client.resource(object).create());
            }
        }
    }

    /** Creates one more object. */
    void create(String name) {
        client.resource(object(name)).create();
    }

    private static ConfigMap object(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(NAMESPACE)
                .withName(name)
                .endMetadata()
                .addToData("payload", PAYLOAD)
                .build();
    }

    /** Waits until nothing is wrong any more. */
    static void await(Supplier<Optional<String>> problem, Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        var pause = new CountDownLatch(1); // counted down by nobody: a wait that an interrupt ends
        for (Optional<String> found = problem.get(); found.isPresent(); found = problem.get()) {
            if (System.nanoTime() > deadline || pause.await(10, TimeUnit.MILLISECONDS)) {
                throw new StartupException(
                        ExitCode.ERROR,
                        "The measurement was given up after " + patience.toSeconds() + " s: " + found.get());
            }
        }
    }

    @Override
    public void close() {
        life.close();
    }
}
