package io.evenkeel.cli.bench;

import io.evenkeel.cli.bench.soak.SeedResult;
import io.evenkeel.cli.bench.soak.SoakGroup;
import io.evenkeel.cli.bench.soak.SoakResult;
import io.evenkeel.cli.terminal.Terminal;
import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.process.StartupException;
import io.evenkeel.sandbox.kafka.EmbeddedKafka;
import io.evenkeel.sandbox.real.RealKubeApi;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Plays random histories with faults, kills the watcher meanwhile, and compares the log with what happened. */
@Command(
        name = "soak",
        description = {
            "Plays random histories on simulated clusters or a real API server, breaks what the watcher sees of them,"
                    + " kills the watcher, and compares the log with what the servers did.",
            "",
            "A seed decides the history of its cluster and the faults in it. Those that fail are printed with what"
                    + " differs and the command that plays them alone; the exit code is 1 then."
        })
public final class SoakCommand implements Callable<Integer> {
    /** Seeds that share a real API server see each other's changes. */
    private static final int REAL_GROUP = 10;

    private final Terminal terminal;
    private final Progress progress;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            defaultValue = "200",
            description = "How many seeds are played. Default: ${DEFAULT-VALUE}.")
    private long seeds = 200;

    @Option(
            names = "--minutes",
            paramLabel = "M",
            defaultValue = "60",
            description = "After so long no more seeds are begun. Default: ${DEFAULT-VALUE}.")
    private long minutes = 60;

    @Option(
            names = "--seed",
            paramLabel = "S",
            defaultValue = "0",
            description = "The first seed, 0 or more; the others follow it. Default: ${DEFAULT-VALUE}.")
    private long first;

    /** What the histories are played on; spelled as it is typed. */
    enum Api {
        sim,
        real
    }

    @Option(
            names = "--kubernetes",
            paramLabel = "sim|real",
            defaultValue = "sim",
            description =
                    "What they are played on; real starts a kube-apiserver from KUBEBUILDER_ASSETS, which some seeds"
                            + " share. Default: ${DEFAULT-VALUE}.")
    private Api kubernetes = Api.sim;

    @Option(names = "--out", paramLabel = "FILE", description = "Write the JSON object to a file too.")
    private Optional<Path> file = Optional.empty();

    /** Made by the command line. */
    public SoakCommand(Terminal terminal) {
        this.terminal = terminal;
        this.progress = new Progress(terminal);
    }

    @Override
    public Integer call() throws InterruptedException {
        if (seeds < 1 || minutes < 1 || first < 0) {
            throw new StartupException(
                    ExitCode.USAGE, "--seeds and --minutes must be 1 or more, and --seed 0 or more.");
        }
        long begun = System.nanoTime();
        long deadline = begun + Duration.ofMinutes(minutes).toNanos();
        var sum = new Sum();
        try (EmbeddedKafka kafka = EmbeddedKafka.builder().build().start()) {
            long next = first;
            while (next < first + seeds && System.nanoTime() < deadline) {
                List<Long> group = SoakGroup.from(next, first + seeds - 1);
                group = group.subList(0, Math.min(group.size(), kubernetes == Api.real ? REAL_GROUP : group.size()));
                progress.say("playing seeds " + next + " to " + group.getLast() + "; " + sum.failures + " of "
                        + sum.seeds + " have failed");
                SoakResult result =
                        play(SoakGroup.withKilledWatcher(kafka.bootstrapServers(), "soak-" + next + "."), group);
                result.seeds().stream().filter(SeedResult::failed).forEach(this::explain);
                sum.add(result);
                next = group.getLast() + 1;
            }
        } catch (IOException e) {
            throw new StartupException(ExitCode.ERROR, "The seeds can't be played: " + e, e);
        }
        new Report("soak", kubernetes.name())
                .with("seeds", sum.seeds)
                .with("failures", sum.failures)
                .with("events", sum.events)
                .with("gaps", sum.gaps)
                .with("faults", sum.faults)
                .with("restarts", sum.restarts)
                .with("seconds", Math.round((System.nanoTime() - begun) / 1e9))
                .print(terminal, file);
        return (sum.failures == 0 ? ExitCode.OK : ExitCode.ERROR).number();
    }

    private SoakResult play(SoakGroup group, List<Long> chosen) throws IOException, InterruptedException {
        if (kubernetes == Api.sim) {
            return group.play(chosen);
        }
        try (RealKubeApi api = RealKubeApi.builder().build().start()) {
            return group.play(chosen, api);
        }
    }

    private void explain(SeedResult seed) {
        progress.say("seed " + seed.seed() + " failed; alone: ./evenkeel bench soak --kubernetes " + kubernetes
                + " --seeds 1 --seed " + seed.seed());
        seed.problems().forEach(line -> progress.say("  " + line));
    }

    /** What came of all groups. */
    private static final class Sum {
        private long seeds;
        private long failures;
        private long events;
        private long gaps;
        private long faults;
        private long restarts;

        void add(SoakResult result) {
            seeds += result.seeds().size();
            failures += result.seeds().stream().filter(SeedResult::failed).count();
            events += result.events();
            gaps += result.gaps();
            faults += result.faults();
            restarts += result.restarts();
        }
    }
}
