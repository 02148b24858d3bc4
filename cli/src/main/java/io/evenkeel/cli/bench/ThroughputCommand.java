package io.evenkeel.cli.bench;

import io.evenkeel.api.topic.Topic;
import io.evenkeel.api.topic.TopicLayout;
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
import java.util.concurrent.CompletableFuture;
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

    /** Absent if not asked for. */
    private record Figures(Optional<Pace> listed, Optional<Pace> reconciled) {}

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

    @Option(
            names = "--warm-ups",
            paramLabel = "N",
            defaultValue = "0",
            description = "How often the same is done before it is measured, each time on new topics: what runs for"
                    + " days is not measured by its first seconds. Default: ${DEFAULT-VALUE}.")
    private int warmUps;

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

            for (int round = 1; round <= warmUps; round++) {
                progress.say("warm-up " + round + " of " + warmUps);
                measure(world, "warm-up-" + round + ".");
            }
            Figures measured = measure(world, TopicLayout.DEFAULT_PREFIX);
            measured.listed()
                    .ifPresent(pace -> report.with("first_list_objects_per_s", pace.perSecond())
                            .with("first_list_cpu_us_per_object", pace.cpuMicrosEach()));
            measured.reconciled()
                    .ifPresent(pace -> report.with("noop_reconciles_per_s", pace.perSecond())
                            .with("noop_reconcile_cpu_us", pace.cpuMicrosEach()));
            report.with("warm_ups", warmUps);
            report.print(terminal, file);
        }
        return ExitCode.OK.number();
    }

    private Figures measure(BenchWorld world, String prefix) throws InterruptedException {
        try (var engine = world.engine(prefix)) {
            progress.say("first list");
            Pace listed = firstList(engine);
            if (only.filter(Part.list::equals).isPresent()) {
                return new Figures(Optional.of(listed), Optional.empty());
            }
            progress.say("reconciles that do nothing");
            Pace reconciled = reconciles(engine);
            return new Figures(only.isEmpty() ? Optional.of(listed) : Optional.empty(), Optional.of(reconciled));
        }
    }

    private Pace firstList(BenchEngine engine) {
        Moment begun = Moment.now();
        engine.startWatcher();
        var seen = new AtomicLong();
        try (var reader = new TopicReader(engine.kafka(), engine.layout().name(Topic.EVENTS))) {
            reader.read(
                    new From.Beginning(),
                    true,
                    record -> !isOurs(record) || seen.incrementAndGet() < objects,
                    () -> System.nanoTime() - begun.nanos() < PATIENCE.toNanos());
        }
        return begun.paceOf(seen.get(), Moment.now());
    }

    private Pace reconciles(BenchEngine engine) throws InterruptedException {
        var done = ConcurrentHashMap.<String>newKeySet();
        var first = new CompletableFuture<Moment>();
        var last = new CompletableFuture<Moment>();
        WorkerProcess worker = engine.startWorker(Worker.named("bench")
                .reconcile(ConfigMap.class)
                .with((map, context) -> {
                    if (!first.isDone()) {
                        first.complete(Moment.now());
                    }
                    String name = map.getMetadata().getName();
                    if (name.startsWith(BenchWorld.PREFIX) && done.add(name) && done.size() == objects) {
                        last.complete(Moment.now());
                    }
                    return Outcome.done();
                }));
        BenchWorld.await(
                () -> worker.deadBecause()
                        .or(() -> Optional.of(objects - done.size())
                                .filter(left -> left > 0 || !last.isDone())
                                .map(left -> left + " objects left")),
                PATIENCE);
        return first.join().paceOf(done.size(), last.join());
    }

    private static boolean isOurs(ConsumerRecord<byte[], byte[]> event) {
        return new String(event.key(), StandardCharsets.UTF_8)
                .contains("/" + BenchWorld.NAMESPACE + "/" + BenchWorld.PREFIX);
    }
}
