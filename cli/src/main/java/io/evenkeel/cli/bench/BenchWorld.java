package io.evenkeel.cli.bench;

import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.reconciler.Worker;
import io.evenkeel.runtime.cluster.ClusterChoice;
import io.evenkeel.runtime.cluster.ClusterSettings;
import io.evenkeel.runtime.kafka.KafkaSettings;
import io.evenkeel.runtime.kafka.TopicAdmin;
import io.evenkeel.runtime.kafka.TopicSettings;
import io.evenkeel.runtime.monitoring.Metrics;
import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.process.ProcessLife;
import io.evenkeel.runtime.process.StartupException;
import io.evenkeel.runtime.settings.Settings;
import io.evenkeel.runtime.settings.SettingsReader;
import io.evenkeel.sandbox.TemporaryFolder;
import io.evenkeel.sandbox.kafka.EmbeddedKafka;
import io.evenkeel.sandbox.kube.KubeSim;
import io.evenkeel.sandbox.real.KubeBinaries;
import io.evenkeel.sandbox.real.RealKubeApi;
import io.evenkeel.watcher.Watcher;
import io.evenkeel.watcher.WatcherConfig;
import io.evenkeel.worker.WorkerConfig;
import io.evenkeel.worker.WorkerProcess;
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
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Kafka, a Kubernetes API and, on demand, watcher and worker, all temporary and in this process. */
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
    private final Metrics metrics = life.add("metrics", new Metrics());
    private final String kubernetes;
    private final Settings settings;
    private final KubernetesClient client;

    private record Api(String name, String kubeconfig, AutoCloseable part) {}

    BenchWorld(Map<String, String> environment) {
        Path folder = TemporaryFolder.create("bench");
        life.add("folder", () -> TemporaryFolder.delete(folder));
        try {
            EmbeddedKafka kafka =
                    life.add("Kafka", EmbeddedKafka.builder().build().start());
            Api api = api(environment);
            life.add("Kubernetes API", api.part);
            kubernetes = api.name;
            Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), api.kubeconfig, StandardCharsets.UTF_8);
            settings = SettingsReader.of(
                            KafkaSettings.CATALOGUE,
                            TopicSettings.CATALOGUE,
                            ClusterChoice.CATALOGUE,
                            WatcherConfig.CATALOGUE,
                            WorkerConfig.CATALOGUE)
                    .program(
                            "bench",
                            Map.of(
                                    KafkaSettings.BOOTSTRAP_SERVERS.key(), kafka.bootstrapServers(),
                                    TopicSettings.PARTITIONS.key(), "4",
                                    TopicSettings.WATCH_STATE_PARTITIONS.key(), "4",
                                    TopicSettings.REPLICATION_FACTOR.key(), "1",
                                    TopicSettings.MIN_INSYNC_REPLICAS.key(), "1",
                                    ClusterSettings.KUBECONFIG.key(), kubeconfig.toString(),
                                    WatcherConfig.RESOURCES.key(), RESOURCE,
                                    WorkerConfig.DRAIN_TIMEOUT.key(), "1000"))
                    .read();
            client = life.add(
                    "client",
                    new KubernetesClientBuilder()
                            .withConfig(Config.fromKubeconfig(kubeconfig.toFile()))
                            .withHttpClientFactory(new JdkHttpClientFactory())
                            .build());
            try (var topics = new TopicAdmin(kafka(), layout())) {
                topics.apply();
            }
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

    /** Name of an object of {@link #createObjects}, from 0. */
    static String name(int number) {
        return PREFIX + number;
    }

    /** Creates so many ConfigMaps. */
    void createObjects(int count) throws InterruptedException {
        try (var load = new Load(MOST_AT_ONCE)) {
            for (int number = 0; number < count; number++) {
                ConfigMap object = object(name(number));
                load.start(() -> client.resource(object).create());
            }
        }
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
