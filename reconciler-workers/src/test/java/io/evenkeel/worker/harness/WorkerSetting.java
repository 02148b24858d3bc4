package io.evenkeel.worker.harness;

import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.runtime.cluster.ClusterChoice;
import io.evenkeel.runtime.cluster.ClusterSettings;
import io.evenkeel.runtime.kafka.KafkaSettings;
import io.evenkeel.runtime.kafka.TopicAdmin;
import io.evenkeel.worker.WorkerConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Topics on a broker, and settings of workers whose handlers call no API server. */
public record WorkerSetting(KafkaSettings kafka, TopicLayout layout, WorkerConfig config) {
    /** Creates the topics. */
    public static WorkerSetting on(String bootstrapServers, String prefix, int partitions, Path folder) {
        KafkaSettings kafka = KafkaSettings.at(bootstrapServers);
        var layout = new TopicLayout(prefix, partitions, 1, (short) 1, (short) 1);
        try (var topics = new TopicAdmin(kafka, layout)) {
            topics.apply();
        }
        return of(bootstrapServers, layout, folder);
    }

    /** For topics that exist. */
    public static WorkerSetting of(String bootstrapServers, TopicLayout layout, Path folder) {
        return of(bootstrapServers, layout, folder, unreachable(folder));
    }

    /** For topics that exist and an API server that does. */
    public static WorkerSetting of(String bootstrapServers, TopicLayout layout, Path folder, Path kubeconfig) {
        KafkaSettings kafka = KafkaSettings.at(bootstrapServers);
        var cluster = new ClusterSettings(ObjectLog.CLUSTER, Optional.of(kubeconfig), Optional.empty());
        return new WorkerSetting(
                kafka,
                layout,
                WorkerConfig.of(kafka, layout, new ClusterChoice.Single(cluster))
                        .withStateDir(folder.resolve("state")));
    }

    /** The shortest session that a worker may have: that it is gone is noticed when it is over. */
    public WorkerConfig shortSession() {
        return new WorkerConfig(
                config.kafka(),
                config.topics(),
                config.clusters(),
                config.stateDir(),
                config.limits(),
                config.streamThreads(),
                Duration.ofSeconds(3),
                config.storeMemoryMebibytes(),
                config.group().withSessionTimeout(Duration.ofSeconds(6)));
    }

    private static Path unreachable(Path folder) {
        try {
            return Files.writeString(folder.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                current-context: none
                clusters: [{name: none, cluster: {server: "http://127.0.0.1:1"}}]
                users: [{name: none, user: {}}]
                contexts: [{name: none, context: {cluster: none, user: none}}]
                """);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
