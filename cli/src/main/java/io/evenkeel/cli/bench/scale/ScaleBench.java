package io.evenkeel.cli.bench.scale;

import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.runtime.kafka.KafkaSettings;
import io.evenkeel.runtime.kafka.TopicAdmin;
import io.evenkeel.sandbox.fleet.Fleet;
import io.evenkeel.sandbox.kafka.EmbeddedKafka;
import io.evenkeel.sandbox.process.ChildJvm;
import io.evenkeel.sandbox.process.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * A fleet and a broker in this process; a watcher of all of it, its successor, and informers, each in a process of its own
 * one after another.
 */
public final class ScaleBench implements AutoCloseable {
    private static final String PREFIX = "scale.";
    private static final int PARTITIONS = 12;
    private static final Duration PATIENCE = Duration.ofMinutes(60);
    private static final Duration END_PATIENCE = Duration.ofMinutes(1);

    private final Fleet fleet;
    private final EmbeddedKafka kafka;
    private final Path folder;
    private final Path kubeconfigs;
    private final Consumer<String> progress;

    /**
     * @param fleet full of objects; it is closed by whoever made it
     * @param folder for kubeconfigs and logs
     * @param progress told what is being done
     */
    public ScaleBench(Fleet fleet, Path folder, Consumer<String> progress) throws IOException {
        this.fleet = fleet;
        this.folder = folder;
        this.kubeconfigs = Files.createDirectory(folder.resolve("kubeconfigs"));
        this.progress = progress;
        for (String name : fleet.plan().names()) {
            Files.writeString(kubeconfigs.resolve(name), fleet.sim().kubeconfig(name));
        }
        this.kafka = EmbeddedKafka.builder().build().start();
        var layout = new TopicLayout(PREFIX, PARTITIONS, PARTITIONS, (short) 1, (short) 1);
        try (var topics = new TopicAdmin(KafkaSettings.at(kafka.bootstrapServers()), layout)) {
            topics.apply();
        }
    }

    /**
     * Runs a watcher of the whole fleet until all its shards are live; the second time it resumes where the first ended.
     *
     * @param heap of its JVM, for example {@code 1g}
     */
    public Footprint watcher(String name, String heap) {
        int shards = fleet.plan().clusters() * Fleet.resources().size();
        return run(
                name,
                ChildJvm.of(WatcherMain.class)
                        .arguments(
                                kafka.bootstrapServers(),
                                PREFIX,
                                Integer.toString(PARTITIONS),
                                kubeconfigs.toString(),
                                String.join(",", Fleet.resourceNames()),
                                Integer.toString(shards))
                        .jvmArguments("-Xmx" + heap));
    }

    /**
     * Runs informers, one for each resource of each cluster.
     *
     * @param clusters how many, or 0 for as many as fit into the heap
     */
    public Footprint informers(String name, String heap, int clusters) {
        return run(
                name,
                ChildJvm.of(InformersMain.class)
                        .arguments(
                                kubeconfigs.toString(), String.join(",", Fleet.resources()), Integer.toString(clusters))
                        .jvmArguments("-Xmx" + heap));
    }

    private Footprint run(String name, ChildJvm jvm) {
        progress.accept(name);
        try (ChildProcess process = jvm.jvmArguments("-XX:TieredStopAtLevel=4")
                .output(folder.resolve(name.replace(' ', '-') + ".log"))
                .start()) {
            Footprint footprint = Footprint.parse(process.awaitLine(Footprint.LINE, PATIENCE));
            process.awaitExit(END_PATIENCE);
            return footprint;
        }
    }

    @Override
    public void close() {
        kafka.close();
    }
}
