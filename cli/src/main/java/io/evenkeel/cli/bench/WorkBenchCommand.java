package io.evenkeel.cli.bench;

import io.evenkeel.cli.bench.work.WorkBench;
import io.evenkeel.cli.terminal.Terminal;
import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.process.StartupException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures reconcile workers. */
@Command(
        name = "work",
        description = {
            "Measures reconcile workers: how much they handle, how soon, with poison keys, dead clusters and restarts,"
                    + " and what they take.",
            "",
            "Objects are written straight to the log, so that no API server is measured; only latency and poison go"
                    + " through a Kubernetes API and a watcher. Restart, memory, storm, takeover and scale use worker"
                    + " processes of their own."
        })
public final class WorkBenchCommand implements Callable<Integer> {
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /** One for each partition and more. */
    private static final int MIN_KEYS = 100;

    private final Terminal terminal;
    private final Progress progress;

    /** What can be measured alone; spelled as it is typed. */
    enum Part {
        noop,
        sleep,
        latency,
        poison,
        clusters,
        memory,
        restart,
        storm,
        takeover,
        scale
    }

    @Option(
            names = "--only",
            paramLabel = "NAME",
            split = ",",
            description = "Measure only these, with commas between: ${COMPLETION-CANDIDATES}.")
    private List<Part> only = List.of();

    @Option(
            names = "--keys",
            paramLabel = "N",
            defaultValue = "100000",
            description = "Keys of most measurements. Default: ${DEFAULT-VALUE}.")
    private int keys = 100_000;

    @Option(
            names = "--many-keys",
            paramLabel = "N",
            defaultValue = "1000000",
            description = "Keys of memory, takeover and the second restart. Default: ${DEFAULT-VALUE}.")
    private int manyKeys = 1_000_000;

    @Option(
            names = "--warm-ups",
            paramLabel = "N",
            defaultValue = "3",
            description = "How often a rate is measured before the round that counts, each time on new topics. Default:"
                    + " ${DEFAULT-VALUE}.")
    private int warmUps = 3;

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            defaultValue = "60",
            description = "Seconds of the same load before a latency is measured. Default: ${DEFAULT-VALUE}.")
    private int warmUp = 60;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "20",
            description = "How long a latency is measured. Default: ${DEFAULT-VALUE}.")
    private int seconds = 20;

    @Option(names = "--out", paramLabel = "FILE", description = "Write the JSON object to a file too.")
    private Optional<Path> file = Optional.empty();

    /** Made by the command line. */
    public WorkBenchCommand(Terminal terminal) {
        this.terminal = terminal;
        this.progress = new Progress(terminal);
    }

    @Override
    public Integer call() throws InterruptedException {
        if (keys < MIN_KEYS || manyKeys < MIN_KEYS || warmUps < 0 || warmUp < 0 || seconds < 1) {
            throw new StartupException(
                    ExitCode.USAGE,
                    "--keys and --many-keys must be " + MIN_KEYS + " or more, --seconds 1 or more, --warm-ups and"
                            + " --warm-up 0 or more.");
        }
        Set<Part> parts = only.isEmpty() ? EnumSet.allOf(Part.class) : EnumSet.copyOf(only);
        var report = new Report("work");
        report.with("keys", keys).with("many_keys", manyKeys).with("warm_ups", warmUps);
        for (Part part : parts) {
            progress.say("measuring " + part);
            measure(part).forEach(report::with);
        }
        report.print(terminal, file);
        return ExitCode.OK.number();
    }

    /** Each part on a broker of its own, so that none is held up by what another one left. */
    private Map<String, Object> measure(Part part) throws InterruptedException {
        if (part == Part.latency) {
            return new HandlerLatency(terminal.environment(), progress, warmUp, seconds).plain();
        }
        try (var bench = new WorkBench(keys, manyKeys, warmUps, progress::say, PATIENCE)) {
            return switch (part) {
                case noop -> bench.noop();
                case sleep -> bench.sleep();
                case poison -> {
                    Map<String, Object> fields = bench.poison();
                    fields.putAll(new HandlerLatency(terminal.environment(), progress, warmUp, seconds).besidePoison());
                    yield fields;
                }
                case clusters -> bench.clusters();
                case memory -> bench.memory();
                case restart -> bench.restart();
                case storm -> bench.storm();
                case takeover -> bench.takeover();
                case scale -> bench.scale();
                case latency -> throw new IllegalStateException("measured above");
            };
        } catch (IOException e) {
            throw new UncheckedIOException("the measurement could not be prepared", e);
        }
    }
}
