package io.evenkeel.cli.bench;

import io.evenkeel.api.topic.Topic;
import io.evenkeel.cli.connection.From;
import io.evenkeel.cli.connection.TopicReader;
import io.evenkeel.cli.terminal.Terminal;
import io.evenkeel.reconciler.Outcome;
import io.evenkeel.reconciler.Worker;
import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.worker.WorkerProcess;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures how fast a first list and its reconciles are. */
@Command(
        name = "throughput",
        description = {
            "Measures how many objects per second a first list brings to Kafka, and how many reconciles per second do"
                    + " nothing.",
            "",
            "The first list counts from the watcher's start until the last event is committed; reconciles count from"
                    + " the first handler's start to the last one's."
        })
public final class ThroughputCommand implements Callable<Integer> {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Terminal terminal;
    private final Progress progress;

    /** What can be measured alone; spelled as it is typed. */
    enum Part {
        list,
        reconcile
    }

    @Option(
            names = "--only",
            paramLabel = "list|reconcile",
            description = "Measure only the first list, or only the reconciles.")
    private Optional<Part> only = Optional.empty();

    @Option(
            names = "--objects",
            paramLabel = "N",
            defaultValue = "20000",
            description = "How many objects there are. Default: ${DEFAULT-VALUE}.")
    private int objects = 20_000;

    @Option(names = "--out", paramLabel = "FILE", description = "Write the JSON object to a file too.")
    private Optional<Path> file = Optional.empty();

    /** Made by the command line. */
    public ThroughputCommand(Terminal terminal) {
        this.terminal = terminal;
        this.progress = new Progress(terminal);
    }

    @Override
    public Integer call() throws InterruptedException {
        progress.say("starting Kafka and a Kubernetes API");
        try (var world = new BenchWorld(terminal.environment())) {
            progress.say("creating " + objects + " objects on a " + world.kubernetes() + " API");
            world.createObjects(objects);
            var report = new Report("throughput", world.kubernetes()).with("objects", objects);

            progress.say("first list");
            double listed = firstList(world);
            if (only.isEmpty() || only.get() == Part.list) {
                report.with("first_list_objects_per_s", Math.round(listed));
            }
            if (only.isEmpty() || only.get() == Part.reconcile) {
                progress.say("reconciles that do nothing");
                report.with("noop_reconciles_per_s", Math.round(reconciles(world)));
            }
            report.print(terminal, file);
        }
        return ExitCode.OK.number();
    }

    private double firstList(BenchWorld world) {
        long begun = System.nanoTime();
        world.startWatcher();
        var seen = new AtomicLong();
        try (var reader = new TopicReader(world.kafka(), world.layout().name(Topic.EVENTS))) {
            reader.read(
                    new From.Beginning(),
                    true,
                    record -> !isOurs(record) || seen.incrementAndGet() < objects,
                    () -> System.nanoTime() - begun < PATIENCE.toNanos());
        }
        return perSecond(seen.get(), System.nanoTime() - begun);
    }

    private double reconciles(BenchWorld world) throws InterruptedException {
        var done = ConcurrentHashMap.<String>newKeySet();
        var first = new AtomicLong();
        var last = new AtomicLong();
        WorkerProcess worker = world.startWorker(Worker.named("bench")
                .reconcile(ConfigMap.class)
                .with((map, context) -> {
                    long now = System.nanoTime();
                    first.compareAndSet(0, now);
                    if (map.getMetadata().getName().startsWith(BenchWorld.PREFIX)
                            && done.add(map.getMetadata().getName())) {
                        last.set(now);
                    }
                    return Outcome.done();
                }));
        BenchWorld.await(
                () -> worker.deadBecause()
                        .or(() -> Optional.of(objects - done.size())
                                .filter(left -> left > 0)
                                .map(left -> left + " objects left")),
                PATIENCE);
        return perSecond(done.size(), last.get() - first.get());
    }

    private static boolean isOurs(ConsumerRecord<byte[], byte[]> event) {
        return new String(event.key(), StandardCharsets.UTF_8)
                .contains("/" + BenchWorld.NAMESPACE + "/" + BenchWorld.PREFIX);
    }

    private static double perSecond(long count, long nanos) {
        return count * 1e9 / Math.max(1, nanos);
    }
}
