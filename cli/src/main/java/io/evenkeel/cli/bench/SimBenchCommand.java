package io.evenkeel.cli.bench;

import io.evenkeel.cli.bench.scale.Footprint;
import io.evenkeel.cli.bench.tls.Tls;
import io.evenkeel.cli.sim.FleetOptions;
import io.evenkeel.cli.terminal.Terminal;
import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.process.StartupException;
import io.evenkeel.sandbox.fleet.Fleet;
import io.evenkeel.sandbox.fleet.FleetPlan;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures how large a simulated fleet can be and how fast it tells of changes. */
@Command(
        name = "sim",
        description = {
            "Measures how much heap a simulated fleet takes, and how many watch frames per second it sends.",
            "",
            "Watches are spread over all clusters and resources. Their client runs in the same process, so its work is"
                    + " part of what is measured. The heap is measured after the changes, with all watches open."
        })
public final class SimBenchCommand implements Callable<Integer> {
    private static final int WATCHES_PER_CONNECTION = 250;
    private static final int HISTORY_WINDOW = 2_000;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration QUIET = Duration.ofMillis(500);
    private static final double MEBIBYTE = 1 << 20;

    private final Terminal terminal;
    private final Progress progress;

    @Option(
            names = "--clusters",
            paramLabel = "N",
            defaultValue = "500",
            description = "How many clusters. Default: ${DEFAULT-VALUE}.")
    private int clusters = 500;

    @Option(
            names = "--objects",
            paramLabel = "N",
            defaultValue = "1000000",
            description = "How many objects in all clusters together. Default: ${DEFAULT-VALUE}.")
    private int objects = 1_000_000;

    @Option(
            names = "--watches",
            paramLabel = "N",
            defaultValue = "15000",
            description = "How many watches are open. Default: ${DEFAULT-VALUE}.")
    private int watches = 15_000;

    @Option(
            names = "--churn",
            paramLabel = "N",
            defaultValue = "1000000",
            description =
                    "How many changes per second all clusters together make, if they can. Default: as many as they"
                            + " can.")
    private int churn = FleetPlan.MOST_CHANGES_PER_SECOND;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "20",
            description =
                    "How long frames are counted; if there was none, until there is one. Default: ${DEFAULT-VALUE}.")
    private int seconds = 20;

    @Option(names = "--out", paramLabel = "FILE", description = "Write the JSON object to a file too.")
    private Optional<Path> file = Optional.empty();

    /** Made by the command line. */
    public SimBenchCommand(Terminal terminal) {
        this.terminal = terminal;
        this.progress = new Progress(terminal);
    }

    @Override
    public Integer call() throws InterruptedException {
        if (watches < 0 || seconds < 1) {
            throw new StartupException(ExitCode.USAGE, "--watches must be 0 or more and --seconds 1 or more.");
        }
        FleetPlan plan = new FleetOptions(clusters, objects, churn, 1, HISTORY_WINDOW)
                .plan(Runtime.getRuntime().maxMemory());
        progress.say("making " + objects + " objects in " + clusters + " clusters");
        long begun = System.nanoTime();
        var connections = new ArrayList<WatchConnection>();
        try (Fleet fleet = Fleet.start(plan, 0, HISTORY_WINDOW, terminal.clock(), complete -> {})) {
            double filled = (System.nanoTime() - begun) / 1e9;
            var frames = new AtomicLong();
            var refused = new AtomicLong();
            try {
                progress.say("opening " + watches + " watches");
                open(fleet, connections, frames, refused);
                measure(fleet, frames, refused, filled);
            } finally {
                for (WatchConnection connection : connections) {
                    connection.close();
                }
            }
        } catch (IOException e) {
            throw new StartupException(ExitCode.ERROR, "The fleet can't be measured: " + e, e);
        }
        return ExitCode.OK.number();
    }

    private void open(Fleet fleet, List<WatchConnection> connections, AtomicLong frames, AtomicLong refused)
            throws IOException, InterruptedException {
        SSLContext trust = trusting(fleet.sim().certificateAuthority());
        List<String> paths = paths(fleet);
        for (int first = 0; first < paths.size(); first += WATCHES_PER_CONNECTION) {
            var connection = new WatchConnection(trust, fleet.sim().port(), frames, refused);
            connections.add(connection);
            connection.open(
                    paths.subList(first, Math.min(paths.size(), first + WATCHES_PER_CONNECTION)),
                    "127.0.0.1:" + fleet.sim().port(),
                    fleet.sim().token());
        }
        BenchWorld.await(
                () -> Optional.of(watches - fleet.sim().openWatches())
                        .filter(missing -> missing > 0)
                        .map(missing -> missing + " watches are not open"),
                PATIENCE);
    }

    /** From now on only: what the objects were before is nobody's frame. */
    private List<String> paths(Fleet fleet) {
        List<String> names = fleet.plan().names();
        List<String> resources = Fleet.resources();
        List<String> paths = new ArrayList<>();
        for (int watch = 0; watch < watches; watch++) {
            String name = names.get(watch % names.size());
            paths.add("/clusters/" + name + resources.get(watch / names.size() % resources.size())
                    + "?watch=1&resourceVersion="
                    + fleet.sim().cluster(name).resourceVersion());
        }
        return paths;
    }

    private void measure(Fleet fleet, AtomicLong frames, AtomicLong refused, double filled)
            throws InterruptedException {
        progress.say("warming up for " + seconds + " s");
        change(fleet, frames);
        progress.say("counting frames for " + seconds + " s");
        long framesBefore = frames.get();
        long changesBefore = fleet.changes();
        double took = change(fleet, frames);
        long counted = frames.get() - framesBefore;
        long changes = fleet.changes() - changesBefore;
        new Report("sim", "simulated")
                .with("clusters", clusters)
                .with("objects", objects)
                .with("resources_per_cluster", Fleet.resources().size())
                .with("heap_mib_after_gc", Math.round(Footprint.heapAfterCollection() / MEBIBYTE))
                .with("history_changes_per_cluster", HISTORY_WINDOW)
                .with("watches", fleet.sim().openWatches())
                .with("watches_refused_or_ended", refused.get())
                .with("watch_frames_per_s", Math.round(counted / took))
                .with("changes_per_s", Math.round(changes / took))
                .with("fill_s", Math.round(filled * 10) / 10.0)
                .with("seconds", seconds)
                .print(terminal, file);
    }

    /**
     * Lets the fleet change until a frame was seen, and waits for the last one: what is still queued at the end must not
     * count less time than it took.
     *
     * @return the seconds from the first change to the last frame
     */
    private double change(Fleet fleet, AtomicLong frames) throws InterruptedException {
        long before = frames.get();
        long begun = System.nanoTime();
        fleet.startChanges();
        TimeUnit.SECONDS.sleep(seconds);
        boolean expected = watches > 0 && objects > 0 && churn > 0;
        while (expected && frames.get() == before && System.nanoTime() - begun < PATIENCE.toNanos()) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
        fleet.stopChanges();
        long last = System.nanoTime();
        for (long seen = -1; System.nanoTime() - last < QUIET.toNanos(); TimeUnit.MILLISECONDS.sleep(5)) {
            if (frames.get() != seen) {
                seen = frames.get();
                last = System.nanoTime();
            }
        }
        return (last - begun) / 1e9;
    }

    private static SSLContext trusting(String pem) {
        String encoded = Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII));
        return Tls.of(new ConfigBuilder(Config.empty()).withCaCertData(encoded).build());
    }
}
