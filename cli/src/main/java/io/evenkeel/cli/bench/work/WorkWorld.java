package io.evenkeel.cli.bench.work;

import io.evenkeel.api.topic.Topic;
import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.runtime.kafka.KafkaSettings;
import io.evenkeel.runtime.kafka.TopicAdmin;
import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.process.StartupException;
import io.evenkeel.sandbox.TemporaryFolder;
import io.evenkeel.sandbox.kafka.EmbeddedKafka;
import io.evenkeel.sandbox.process.ChildJvm;
import io.evenkeel.sandbox.process.ChildProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/** A broker in this process, topics of their own for each measurement, and folders. Temporary. */
final class WorkWorld implements AutoCloseable {
    /** The one cluster of most measurements. */
    static final List<String> ONE_CLUSTER = List.of("bench");

    private static final Duration POLL = Duration.ofMillis(20);

    private final Path folder = TemporaryFolder.create("bench-work");
    private final EmbeddedKafka kafka;
    private final SilentServer silent = new SilentServer();
    private final Admin admin;
    private final AtomicInteger number = new AtomicInteger();
    private final Consumer<String> progress;
    private final Duration patience;

    /**
     * @param progress told what is being done
     * @param patience after so long without any progress a measurement is given up
     */
    WorkWorld(Consumer<String> progress, Duration patience) throws IOException {
        this.progress = progress;
        this.patience = patience;
        this.kafka = EmbeddedKafka.builder().build().start();
        this.admin = Admin.create(settings().with(Map.of()));
    }

    /** New topics. */
    TopicLayout topics(String name, int partitions) {
        var layout = new TopicLayout(
                name + "-" + number.incrementAndGet() + ".", partitions, partitions, (short) 1, (short) 1);
        try (var topics = new TopicAdmin(settings(), layout)) {
            topics.apply();
        }
        return layout;
    }

    KafkaSettings settings() {
        return KafkaSettings.at(kafka.bootstrapServers());
    }

    ObjectFlood flood(TopicLayout layout) {
        return new ObjectFlood(settings(), layout, ONE_CLUSTER);
    }

    /** A worker with stores of its own, whose cluster answers nothing. */
    WorkerSpec spec(TopicLayout layout, int keys, int standbyReplicas, WorkerSpec.Handling handling) {
        return spec(layout, keys, standbyReplicas, handling, kubeconfigs(Map.of("bench", silent.kubeconfig("bench"))));
    }

    WorkerSpec spec(TopicLayout layout, int keys, int standbyReplicas, WorkerSpec.Handling handling, Path kubeconfigs) {
        return new WorkerSpec(
                kafka.bootstrapServers(),
                layout.prefix(),
                layout.partitions(),
                kubeconfigs.toString(),
                folder.resolve("state-" + number.incrementAndGet()).toString(),
                keys,
                standbyReplicas,
                handling);
    }

    /** A folder with one kubeconfig per cluster. */
    Path kubeconfigs(Map<String, String> byCluster) {
        try {
            Path configs = Files.createDirectory(folder.resolve("kubeconfigs-" + number.incrementAndGet()));
            for (var cluster : byCluster.entrySet()) {
                Files.writeString(configs.resolve(cluster.getKey()), cluster.getValue(), StandardCharsets.UTF_8);
            }
            return configs;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The cluster of {@link #spec}, to see what was asked of it. */
    SilentServer silent() {
        return silent;
    }

    /** A worker in a process of its own. */
    ChildProcess process(WorkerSpec spec, String heap) {
        return ChildJvm.of(MeasuredWorkerMain.class)
                .arguments(spec.text())
                .jvmArguments("-Xmx" + heap, "-XX:TieredStopAtLevel=4")
                .output(folder.resolve("process-" + number.incrementAndGet() + ".log"))
                .start();
    }

    /** Attempts that have come to an end so far. */
    long outcomes(TopicLayout layout) {
        var ends = IntStream.range(0, layout.partitions())
                .mapToObj(partition -> new TopicPartition(layout.name(Topic.OUTCOMES), partition))
                .collect(Collectors.toMap(partition -> partition, partition -> OffsetSpec.latest()));
        try {
            return admin.listOffsets(ends).all().get().values().stream()
                    .mapToLong(end -> end.offset())
                    .sum();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartupException(ExitCode.ERROR, "The measurement was interrupted.", e);
        } catch (ExecutionException e) {
            throw new StartupException(ExitCode.ERROR, "Kafka does not tell how far the outcomes are: " + e, e);
        }
    }

    void say(String text) {
        progress.accept(text);
    }

    Duration patience() {
        return patience;
    }

    /**
     * Waits until {@code done} counts {@code wanted}.
     *
     * @throws StartupException if it does not grow for {@link #patience}
     */
    void await(String what, long wanted, Supplier<Long> done) throws InterruptedException {
        var pause = new CountDownLatch(1); // counted down by nobody: a wait that an interrupt ends
        long best = -1;
        long since = System.nanoTime();
        for (long now = done.get(); now < wanted; now = done.get()) {
            if (now > best) {
                best = now;
                since = System.nanoTime();
            }
            if (System.nanoTime() - since > patience.toNanos() || pause.await(POLL.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new StartupException(
                        ExitCode.ERROR,
                        "The measurement was given up: " + what + " stands at " + now + " of " + wanted + " for "
                                + patience.toSeconds() + " s.");
            }
        }
    }

    @Override
    public void close() {
        admin.close(Duration.ofSeconds(1));
        kafka.close();
        silent.close();
        TemporaryFolder.delete(folder);
    }
}
