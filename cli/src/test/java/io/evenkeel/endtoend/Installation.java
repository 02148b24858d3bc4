package io.evenkeel.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.topic.Topic;
import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.cli.Main;
import io.evenkeel.runtime.kafka.KafkaSettings;
import io.evenkeel.runtime.kafka.TopicAdmin;
import io.evenkeel.sandbox.kafka.EmbeddedKafka;
import io.evenkeel.sandbox.process.ChildJvm;
import io.evenkeel.sandbox.process.ChildProcess;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;

/**
 * One installation as a user would run it: Kafka, and each role as a process of its own that is started through the command
 * line with a configuration file. They share only Kafka.
 */
final class Installation implements AutoCloseable {
    /** Id of the cluster. */
    static final String CLUSTER = "test";

    private static final TopicLayout LAYOUT = TopicLayout.singleBroker(4);

    private final EmbeddedKafka kafka;
    private final Path folder;
    private final KubernetesClient client;
    private final List<ChildProcess> processes = new ArrayList<>();
    private int started;

    private Installation(EmbeddedKafka kafka, Path folder, KubernetesClient client) {
        this.kafka = kafka;
        this.folder = folder;
        this.client = client;
    }

    /** Kafka with its topics, and the CRD of the example; no role runs yet. */
    static Installation prepare(String kubeconfig, Path folder) throws IOException {
        Files.writeString(folder.resolve("kubeconfig"), kubeconfig);
        EmbeddedKafka kafka = EmbeddedKafka.builder().build().start();
        try (var topics = new TopicAdmin(KafkaSettings.at(kafka.bootstrapServers()), LAYOUT)) {
            assertThat(topics.apply().remaining()).isEmpty();
        }
        KubernetesClient client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(kubeconfig))
                .build();
        try (InputStream crd = Objects.requireNonNull(
                Installation.class.getResourceAsStream("/crds/memcacheds.cache.example.com-v1.yml"))) {
            client.load(crd).serverSideApply();
        }
        var installation = new Installation(kafka, folder, client);
        Awaitility.await("the CRD is served")
                .atMost(Duration.ofSeconds(30))
                .ignoreExceptions()
                .until(() -> client.raw("/apis/cache.example.com/v1alpha1/memcacheds") != null);
        return installation;
    }

    /** One watcher and one worker, ready. */
    void start() throws IOException {
        startWatcher();
        startWorker();
    }

    ChildProcess startWatcher() throws IOException {
        return startWatcherOf(
                List.of(WatchedResource.MEMCACHEDS, WatchedResource.DEPLOYMENTS, WatchedResource.SERVICES),
                "page-size: 500");
    }

    /** Another choice of resources, and one more setting of the watcher. */
    ChildProcess startWatcherOf(List<WatchedResource> resources, String setting) throws IOException {
        return start("watcher", resources, setting);
    }

    ChildProcess startWorker() throws IOException {
        return start("worker", List.of(WatchedResource.MEMCACHEDS), "page-size: 500");
    }

    private ChildProcess start(String role, List<WatchedResource> resources, String setting) throws IOException {
        String name = role + "-" + ++started;
        Path config = Files.writeString(folder.resolve(name + ".yaml"), configuration(name, resources, setting));
        ChildProcess process = ChildJvm.of(Main.class)
                .arguments(role, "--config", config.toString())
                .jvmArguments("-Xmx512m", "-XX:+UseSerialGC")
                .output(folder.resolve(name + ".log"))
                .start();
        processes.add(process);
        process.awaitLine("started", Duration.ofSeconds(60));
        return process;
    }

    private String configuration(String name, List<WatchedResource> watched, String setting) {
        String resources = watched.stream().map(WatchedResource::setting).collect(Collectors.joining(", "));
        return """
            kafka:
              bootstrap.servers: %s
            topics:
              partitions: %d
              watch-state-partitions: %d
              replication-factor: 1
              min-insync-replicas: 1
            cluster:
              name: %s
              kubeconfig: %s
            watcher:
              resources: [%s]
              %s
              state-dir: %s
            worker:
              state-dir: %s
            http:
              port: 0
            """.formatted(
                        kafka.bootstrapServers(),
                        LAYOUT.partitions(Topic.EVENTS),
                        LAYOUT.partitions(Topic.WATCH_STATE),
                        CLUSTER,
                        folder.resolve("kubeconfig"),
                        resources,
                        setting,
                        folder.resolve(name + "-watcher-state"),
                        folder.resolve(name + "-worker-state"));
    }

    KubernetesClient client() {
        return client;
    }

    EmbeddedKafka kafka() {
        return kafka;
    }

    /** Reads a topic from its beginning. */
    EventLog open(Topic topic) {
        return new EventLog(kafka.bootstrapServers(), LAYOUT, topic);
    }

    @Override
    public void close() {
        processes.forEach(ChildProcess::close);
        client.close();
        kafka.close();
    }
}
