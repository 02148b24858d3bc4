package io.evenkeel.cli.bench;

import io.evenkeel.cli.terminal.Terminal;
import io.evenkeel.reconciler.Outcome;
import io.evenkeel.reconciler.Worker;
import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.watcher.Watcher;
import io.evenkeel.worker.WorkerProcess;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures how long a change takes from the write to the handler. */
@Command(
        name = "latency",
        description = {
            "Measures the time from sending a write to the API server until a handler runs with it.",
            "",
            "The writes go round over 200 objects at a steady rate; the time of the write itself is included."
        })
public final class LatencyCommand implements Callable<Integer> {
    private static final int OBJECTS = 200;
    private static final Duration WARM_UP = Duration.ofSeconds(8);
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
    private static final String NAMESPACE = "default";

    private final Terminal terminal;
    private final ChangeClock clock = new ChangeClock();
    private final AtomicLong number = new AtomicLong();

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "200",
            description = "Changes per second. Default: ${DEFAULT-VALUE}.")
    private int rate = 200;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "20",
            description = "How long it is measured. Default: ${DEFAULT-VALUE}.")
    private int seconds = 20;

    @Option(names = "--out", paramLabel = "FILE", description = "Write the JSON object to a file too.")
    private Optional<Path> file = Optional.empty();

    /** Made by the command line. */
    public LatencyCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        say("starting Kafka and a Kubernetes API");
        try (var world = new BenchWorld(terminal.environment())) {
            for (int object = 0; object < OBJECTS; object++) {
                world.client().resource(object(object)).create();
            }
            Watcher watcher = world.startWatcher();
            WorkerProcess worker = world.startWorker(
                    Worker.named("bench").reconcile(ConfigMap.class).with((map, context) -> handle(map)));
            BenchWorld.await(() -> watcher.notReady().or(worker::notReadyBecause), PATIENCE);

            say("warming up for " + WARM_UP.toSeconds() + " s");
            write(world.client(), WARM_UP);
            awaitAll();
            clock.reset();
            say("measuring " + rate + " changes/s for " + seconds + " s on a " + world.kubernetes() + " API");
            write(world.client(), Duration.ofSeconds(seconds));
            awaitAll();

            var measured = new Percentiles(clock.nanos());
            new Report("latency", world.kubernetes())
                    .with("write_to_handler_ms_p50", measured.millis(50))
                    .with("write_to_handler_ms_p90", measured.millis(90))
                    .with("write_to_handler_ms_p99", measured.millis(99))
                    .with("write_to_handler_ms_max", measured.millis(100))
                    .with("measured_from", "request sent")
                    .with("changes", clock.nanos().length)
                    .with("changes_per_s", rate)
                    .with("seconds", seconds)
                    .print(terminal, file);
        }
        return ExitCode.OK.number();
    }

    private Outcome handle(ConfigMap map) {
        String written = Optional.ofNullable(map.getData())
                .map(data -> data.get("number"))
                .orElse("");
        if (!written.isEmpty()) {
            clock.handled(map.getMetadata().getName(), Long.parseLong(written), System.nanoTime());
        }
        return Outcome.done();
    }

    /** Sends at the set rate whatever the answers take, as users would: slow answers must not hide slow handling. */
    private void write(KubernetesClient client, Duration duration) throws InterruptedException {
        long changes = duration.toSeconds() * rate;
        long gapNanos = TimeUnit.SECONDS.toNanos(1) / rate;
        var free = new Semaphore(64); // the client opens one connection of at most 100 streams
        try (var writers = Executors.newVirtualThreadPerTaskExecutor()) {
            long begun = System.nanoTime();
            for (long change = 0; change < changes; change++) {
                LockSupport.parkNanos(begun + change * gapNanos - System.nanoTime());
                free.acquire();
                String name = name((int) (change % OBJECTS));
                var unused = writers.submit(() -> {
                    try {
                        write(client, name);
                    } finally {
                        free.release();
                    }
                });
            }
        }
    }

    private void write(KubernetesClient client, String name) {
        long next = number.incrementAndGet();
        clock.sent(name, next, System.nanoTime());
        client.configMaps()
                .inNamespace(NAMESPACE)
                .withName(name)
                .patch(MERGE, "{\"data\":{\"number\":\"" + next + "\"}}");
    }

    private void awaitAll() throws InterruptedException {
        BenchWorld.await(
                () -> Optional.of(clock.unseen())
                        .filter(unseen -> unseen > 0)
                        .map(unseen -> unseen + " changes unseen"),
                PATIENCE);
    }

    private static ConfigMap object(int number) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(NAMESPACE)
                .withName(name(number))
                .endMetadata()
                .addToData("payload", "x".repeat(500))
                .build();
    }

    private static String name(int number) {
        return "bench-" + number;
    }

    private void say(String text) {
        terminal.err().println("bench: " + text);
        terminal.err().flush();
    }
}
