package io.evenkeel.cli.bench;

import io.evenkeel.api.topic.Topic;
import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.cli.bench.scale.Footprint;
import io.evenkeel.cli.bench.scale.ScaleBench;
import io.evenkeel.cli.connection.From;
import io.evenkeel.cli.connection.TopicReader;
import io.evenkeel.cli.sim.FleetOptions;
import io.evenkeel.cli.terminal.Terminal;
import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.process.StartupException;
import io.evenkeel.sandbox.TemporaryFolder;
import io.evenkeel.sandbox.fleet.Fleet;
import io.evenkeel.sandbox.fleet.FleetPlan;
import io.evenkeel.watcher.Watcher;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures the watcher. */
@Command(
        name = "watch",
        description = {
            "Measures how fast the watcher brings a first list and a flood of changes to Kafka, and how soon a lone"
                    + " change can be read from there.",
            "",
            "Move kills a process that follows a part of the shards, and waits until another brings their changes.",
            "",
            "The first list is compared with the same pages read and thrown away. A flood comes from one simulated"
                + " cluster with 30 resources in the same process, so its work is part of what is measured. Scale is a"
                + " fleet that a watcher in a process of its own lists, and resumes after a restart; informers do the"
                + " same with as many of its clusters as fit into their heap."
        })
public final class WatchBenchCommand implements Callable<Integer> {
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final int PAGE_SIZE = 500;
    private static final int VISIBLE_OBJECTS = 200;
    private static final int FLOOD_OBJECTS = 10_000;
    private static final int FLOOD_WINDOW = 400_000;
    private static final int FLEET_WINDOW = 200;
    private static final int MOVE_OBJECTS = 3_000;
    private static final int MOVE_CHANGES_PER_SECOND = 300;
    private static final String WARM_UP_PREFIX = "warm-up.";

    /** Of each change: event, object and index entry. */
    private static final int RECORDS_PER_CHANGE = 3;

    private final Terminal terminal;
    private final Progress progress;

    /** What can be measured alone; spelled as it is typed. */
    enum Part {
        list,
        changes,
        visible,
        move,
        scale
    }

    @Option(names = "--only", paramLabel = "list|changes|visible|move|scale", description = "Measure only one of them.")
    private Optional<Part> only = Optional.empty();

    @Option(
            names = "--objects",
            paramLabel = "N",
            defaultValue = "100000",
            description = "Objects of the first list. Default: ${DEFAULT-VALUE}.")
    private int objects = 100_000;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "20",
            description = "How long changes are made. Default: ${DEFAULT-VALUE}.")
    private int seconds = 20;

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            defaultValue = "60",
            description = "Seconds of the same load before. Default: ${DEFAULT-VALUE}.")
    private int warmUp = 60;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "200",
            description = "Lone changes per second. Default: ${DEFAULT-VALUE}.")
    private int rate = 200;

    @Option(
            names = "--clusters",
            paramLabel = "N",
            defaultValue = "500",
            description = "Clusters of the fleet, of 30 resources each. Default: ${DEFAULT-VALUE}.")
    private int clusters = 500;

    @Option(
            names = "--fleet-objects",
            paramLabel = "N",
            defaultValue = "1000000",
            description = "Objects of the fleet. Default: ${DEFAULT-VALUE}.")
    private int fleetObjects = 1_000_000;

    @Option(
            names = "--heap",
            paramLabel = "SIZE",
            defaultValue = "1g",
            description = "Largest heap of the watcher of the fleet, and of the informers. Default: ${DEFAULT-VALUE}.")
    private String heap = "1g";

    @Option(names = "--out", paramLabel = "FILE", description = "Write the JSON object to a file too.")
    private Optional<Path> file = Optional.empty();

    /** Made by the command line. */
    public WatchBenchCommand(Terminal terminal) {
        this.terminal = terminal;
        this.progress = new Progress(terminal);
    }

    @Override
    public Integer call() throws InterruptedException {
        if (objects < 1 || seconds < 1 || warmUp < 0 || rate < 1) {
            throw new StartupException(
                    ExitCode.USAGE, "--objects, --seconds and --rate must be 1 or more, --warm-up 0 or more.");
        }
        if (!heap.matches("[1-9][0-9]{0,6}[kmgKMG]")) {
            throw new StartupException(
                    ExitCode.USAGE, "--heap must be a size such as 512m or 1g but is '" + heap + "'.");
        }
        Optional<FleetPlan> fleet = Optional.of(Part.scale)
                .filter(this::isAsked)
                .map(part -> new FleetOptions(clusters, fleetObjects, 0, 1, FLEET_WINDOW)
                        .plan(Runtime.getRuntime().maxMemory()));
        var report = new Report("watch");
        if (only.isEmpty() || only.get() != Part.scale) {
            alone(report);
        }
        if (fleet.isPresent()) {
            scale(fleet.get(), report);
        }
        report.print(terminal, file);
        return ExitCode.OK.number();
    }

    /** One cluster, everything in this process. */
    private void alone(Report report) throws InterruptedException {
        progress.say("starting Kafka and a Kubernetes API");
        try (var world = new BenchWorld(terminal.environment())) {
            report.with("kubernetes", world.kubernetes()).with("warm_up_seconds", warmUp);
            if (isAsked(Part.visible)) {
                visible(world, report);
            }
            if (isAsked(Part.changes)) {
                changes(world, report);
            }
            if (isAsked(Part.move)) {
                move(world, report);
            }
            if (isAsked(Part.list)) {
                list(world, report);
            }
        }
    }

    private void scale(FleetPlan plan, Report report) {
        progress.say("scale: making " + fleetObjects + " objects in " + clusters + " clusters");
        Path folder = TemporaryFolder.create("scale");
        try (Fleet fleet = Fleet.start(plan, 0, FLEET_WINDOW, terminal.clock(), complete -> {});
                var scale = new ScaleBench(fleet, folder, what -> progress.say("scale: " + what))) {
            Footprint first = scale.watcher("first list", heap);
            Footprint again = scale.watcher("restart", heap);
            Footprint informers = scale.informers("informers", heap, 0);
            Footprint informersAgain = scale.informers("restart of informers", heap, informers.clusters());
            report.with("clusters", clusters)
                    .with("fleet_objects", fleetObjects)
                    .with("heap_mib_1m", again.heapMib())
                    .with("heap_mib_after_first_list", first.heapMib())
                    .with("threads", again.threads())
                    .with("fleet_first_list_s", first.seconds())
                    .with("restart_lists", again.lists())
                    .with("restart_s", again.seconds())
                    .with("informer_clusters", informers.clusters())
                    .with("informer_objects", informers.objects())
                    .with("informer_heap_mib", informersAgain.heapMib())
                    .with("informer_threads", informersAgain.threads())
                    .with("informer_restart_s", informersAgain.seconds());
        } catch (IOException e) {
            throw new StartupException(ExitCode.ERROR, "The fleet could not start: " + e, e);
        } finally {
            TemporaryFolder.delete(folder);
        }
    }

    private boolean isAsked(Part part) {
        return only.isEmpty() || only.get() == part;
    }

    private void visible(BenchWorld world, Report report) throws InterruptedException {
        world.createObjects(VISIBLE_OBJECTS);
        var toEvent = new ChangeClock();
        try (var engine = world.engine("visible.")) {
            engine.listen(event -> SteadyWrites.reached(toEvent, event, System.nanoTime()));
            Watcher watcher = engine.startWatcher();
            BenchWorld.await(watcher::notReady, PATIENCE);
            var writes = new SteadyWrites(world.client().getConfiguration(), VISIBLE_OBJECTS, rate, List.of(toEvent));
            progress.say("lone changes: warming up for " + warmUp + " s");
            send(writes, toEvent, warmUp);
            writes.forget();
            progress.say("lone changes: " + rate + "/s for " + seconds + " s");
            send(writes, toEvent, seconds);
            var event = new Percentiles(toEvent.nanos());
            var answer = new Percentiles(writes.toAnswer().nanos());
            report.with("visible_ms_p50", event.millis(50))
                    .with("visible_ms_p99", event.millis(99))
                    .with("write_to_answer_ms_p50", answer.millis(50))
                    .with("write_to_answer_ms_p99", answer.millis(99))
                    .with("lone_changes_per_s", rate);
        }
    }

    private static void send(SteadyWrites writes, ChangeClock clock, int seconds) throws InterruptedException {
        writes.send(Duration.ofSeconds(seconds));
        BenchWorld.await(
                () -> Optional.of(clock.unseen()).filter(left -> left > 0).map(left -> left + " changes unseen"),
                PATIENCE);
    }

    private void changes(BenchWorld world, Report report) throws InterruptedException {
        var plan = new FleetPlan(1, FLOOD_OBJECTS, FleetPlan.MOST_CHANGES_PER_SECOND, 1);
        try (Fleet fleet = Fleet.start(plan, 0, FLOOD_WINDOW, terminal.clock(), complete -> {});
                var engine = world.engine("changes.", fleet.sim().kubeconfig(), Fleet.resourceNames())) {
            Watcher watcher = engine.startWatcher();
            BenchWorld.await(watcher::notReady, PATIENCE);
            progress.say("a flood of changes: warming up");
            flood(fleet, engine, Math.max(1, warmUp / 4));
            progress.say("a flood of changes for " + seconds + " s");
            long transactions = engine.committedTransactions();
            Pace pace = flood(fleet, engine, seconds);
            report.with("changes_per_s", pace.perSecond())
                    .with("change_cpu_us", pace.cpuMicrosEach())
                    .with("transactions_per_s", (engine.committedTransactions() - transactions) / seconds);
        } catch (IOException e) {
            throw new StartupException(ExitCode.ERROR, "The simulated cluster could not start: " + e, e);
        }
    }

    private void move(BenchWorld world, Report report) throws InterruptedException {
        progress.say("the shards of a process that dies");
        var plan = new FleetPlan(1, MOVE_OBJECTS, MOVE_CHANGES_PER_SECOND, 1);
        Path folder = TemporaryFolder.create("move");
        try (Fleet fleet = Fleet.start(plan, 0, FLOOD_WINDOW, terminal.clock(), complete -> {});
                var engine = world.engine("move.", fleet.sim().kubeconfig(), Fleet.resourceNames())) {
            fleet.startChanges();
            MoveBench.Result result =
                    new MoveBench(engine, Fleet.resourceNames().size(), folder.resolve("watcher.log")).run();
            report.with("shard_move_s", result.seconds()).with("moved_shards", result.shards());
        } catch (IOException e) {
            throw new StartupException(ExitCode.ERROR, "The simulated cluster could not start: " + e, e);
        } finally {
            TemporaryFolder.delete(folder);
        }
    }

    /** Changes as fast as the cluster can, from the first change until the last one is committed. */
    private static Pace flood(Fleet fleet, BenchEngine engine, int seconds) throws InterruptedException {
        long committed = engine.committedRecords();
        long before = fleet.changes();
        Moment begun = Moment.now();
        fleet.startChanges();
        TimeUnit.SECONDS.sleep(seconds);
        fleet.stopChanges();
        long changes = fleet.changes() - before;
        BenchWorld.await(
                () -> Optional.of(committed + RECORDS_PER_CHANGE * changes - engine.committedRecords())
                        .filter(left -> left > 0)
                        .map(left -> left + " records are not committed"),
                PATIENCE);
        return begun.paceOf(changes, Moment.now());
    }

    private void list(BenchWorld world, Report report) throws InterruptedException {
        progress.say("first list: creating " + objects + " objects on a " + world.kubernetes() + " API");
        world.createObjects(objects, isAsked(Part.visible) ? VISIBLE_OBJECTS : 0);
        progress.say("first list: warming up");
        bareSeconds(world);
        firstList(world, WARM_UP_PREFIX);
        progress.say("first list: the same pages, thrown away");
        double bare = bareSeconds(world);
        progress.say("first list");
        double watched = firstList(world, TopicLayout.DEFAULT_PREFIX);
        report.with("objects", objects)
                .with("first_list_ratio", Math.round(watched / bare * 100) / 100.0)
                .with("first_list_s", Math.round(watched * 100) / 100.0)
                .with("bare_list_s", Math.round(bare * 100) / 100.0);
    }

    private static double bareSeconds(BenchWorld world) throws InterruptedException {
        return BareList.seconds(world.client().getConfiguration(), "/api/v1/" + BenchWorld.RESOURCE, PAGE_SIZE);
    }

    private double firstList(BenchWorld world, String prefix) {
        long begun = System.nanoTime();
        var seen = new AtomicLong();
        try (var engine = world.engine(prefix);
                var reader = new TopicReader(engine.kafka(), engine.layout().name(Topic.EVENTS))) {
            engine.startWatcher();
            reader.read(
                    new From.Beginning(),
                    true,
                    record -> !isOurs(new String(record.key(), StandardCharsets.UTF_8))
                            || seen.incrementAndGet() < objects,
                    () -> System.nanoTime() - begun < PATIENCE.toNanos());
            return (System.nanoTime() - begun) / 1e9;
        }
    }

    private static boolean isOurs(String key) {
        return key.contains("/" + BenchWorld.NAMESPACE + "/" + BenchWorld.PREFIX);
    }
}
