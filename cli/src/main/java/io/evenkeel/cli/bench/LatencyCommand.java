package io.evenkeel.cli.bench;

import io.evenkeel.api.json.Json;
import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.cli.terminal.Terminal;
import io.evenkeel.reconciler.Outcome;
import io.evenkeel.reconciler.Worker;
import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.watcher.Watcher;
import io.evenkeel.worker.WorkerProcess;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Measures how long a change takes from the write to the handler. */
@Command(
        name = "latency",
        description = {
            "Measures the time from sending a write to the API server until a handler runs with it.",
            "",
            "The writes go round over 200 objects at a steady rate; the time of the write itself is included, and shown"
                    + " beside it."
        })
public final class LatencyCommand implements Callable<Integer> {
    private static final int OBJECTS = 200;
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int WRITERS = 32;

    private final Terminal terminal;
    private final Progress progress;
    private final ChangeClock toAnswer = new ChangeClock();
    private final ChangeClock toEvent = new ChangeClock();
    private final ChangeClock toHandler = new ChangeClock();
    private final List<ChangeClock> clocks = List.of(toAnswer, toEvent, toHandler);
    private final AtomicLong number = new AtomicLong();

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "200",
            description = "Changes per second. Default: ${DEFAULT-VALUE}.")
    private int rate = 200;

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            defaultValue = "60",
            description = "Seconds of the same load before: the JVM compiles what is used while it runs. Default:"
                    + " ${DEFAULT-VALUE}.")
    private int warmUp = 60;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "20",
            description = "How long it is measured. Default: ${DEFAULT-VALUE}.")
    private int seconds = 20;

    @Option(
            names = "--event",
            description = "Measure too when the event can be read from the log. That reader takes processor time of its"
                    + " own, so the other figures get worse.")
    private boolean event;

    @Option(names = "--out", paramLabel = "FILE", description = "Write the JSON object to a file too.")
    private Optional<Path> file = Optional.empty();

    /** Made by the command line. */
    public LatencyCommand(Terminal terminal) {
        this.terminal = terminal;
        this.progress = new Progress(terminal);
    }

    @Override
    public Integer call() throws InterruptedException {
        progress.say("starting Kafka and a Kubernetes API");
        try (var world = new BenchWorld(terminal.environment());
                var engine = world.engine(TopicLayout.DEFAULT_PREFIX)) {
            if (event) {
                engine.listen(this::logged);
            }
            world.createObjects(OBJECTS);
            Watcher watcher = engine.startWatcher();
            WorkerProcess worker = engine.startWorker(
                    Worker.named("bench").reconcile(ConfigMap.class).with((map, context) -> handle(map)));
            BenchWorld.await(() -> watcher.notReady().or(worker::notReadyBecause), PATIENCE);

            var writer = new ConfigMapWriter(world.client().getConfiguration(), BenchWorld.NAMESPACE, WRITERS);
            progress.say("warming up for " + warmUp + " s");
            write(writer, Duration.ofSeconds(warmUp));
            awaitAll();
            clocks.forEach(ChangeClock::reset);
            progress.say("measuring " + rate + " changes/s for " + seconds + " s on a " + world.kubernetes() + " API");
            write(writer, Duration.ofSeconds(seconds));
            awaitAll();

            var answer = new Percentiles(toAnswer.nanos());
            var handler = new Percentiles(toHandler.nanos());
            var report = new Report("latency", world.kubernetes())
                    .with("write_to_handler_ms_p50", handler.millis(50))
                    .with("write_to_handler_ms_p90", handler.millis(90))
                    .with("write_to_handler_ms_p99", handler.millis(99))
                    .with("write_to_handler_ms_max", handler.millis(100))
                    .with("write_to_answer_ms_p50", answer.millis(50))
                    .with("write_to_answer_ms_p99", answer.millis(99))
                    .with("measured_from", "request sent")
                    .with("changes", toHandler.nanos().length)
                    .with("changes_per_s", rate)
                    .with("warm_up_seconds", warmUp)
                    .with("seconds", seconds);
            if (event) {
                var logged = new Percentiles(toEvent.nanos());
                report.with("write_to_event_ms_p50", logged.millis(50))
                        .with("write_to_event_ms_p99", logged.millis(99));
            }
            report.print(terminal, file);
        }
        return ExitCode.OK.number();
    }

    private Outcome handle(ConfigMap map) {
        Optional.ofNullable(map.getData())
                .map(data -> data.get("number"))
                .ifPresent(written ->
                        toHandler.reached(map.getMetadata().getName(), Long.parseLong(written), System.nanoTime()));
        return Outcome.done();
    }

    private void logged(ConsumerRecord<byte[], byte[]> event) {
        long now = System.nanoTime();
        JsonNode object = Json.mapper().readTree(event.value()).path("object");
        object.path("data")
                .path("number")
                .asStringOpt()
                .ifPresent(written ->
                        toEvent.reached(object.path("metadata").path("name").asString(), Long.parseLong(written), now));
    }

    /** Sends at the set rate whatever the answers take, as users would: slow answers must not hide slow handling. */
    private void write(ConfigMapWriter writer, Duration duration) throws InterruptedException {
        long changes = duration.toSeconds() * rate;
        long gapNanos = TimeUnit.SECONDS.toNanos(1) / rate;
        try (var load = new Load(WRITERS)) {
            long begun = System.nanoTime();
            for (long change = 0; change < changes; change++) {
                LockSupport.parkNanos(begun + change * gapNanos - System.nanoTime());
                String name = BenchWorld.name((int) (change % OBJECTS));
                load.start(() -> write(writer, name));
            }
        }
    }

    private void write(ConfigMapWriter writer, String name) {
        long next = number.incrementAndGet();
        long now = System.nanoTime();
        clocks.forEach(clock -> clock.sent(name, next, now));
        writer.replace(name, "{\"payload\":\"" + BenchWorld.PAYLOAD + "\",\"number\":\"" + next + "\"}");
        toAnswer.reached(name, next, System.nanoTime());
    }

    private void awaitAll() throws InterruptedException {
        BenchWorld.await(
                () -> Optional.of(toHandler.unseen() + (event ? toEvent.unseen() : 0))
                        .filter(unseen -> unseen > 0)
                        .map(unseen -> unseen + " changes unseen"),
                PATIENCE);
    }
}
