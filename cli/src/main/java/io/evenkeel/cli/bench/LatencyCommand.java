package io.evenkeel.cli.bench;

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
import org.apache.kafka.clients.consumer.ConsumerRecord;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

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

    private final Terminal terminal;
    private final Progress progress;
    private final ChangeClock toEvent = new ChangeClock();
    private final ChangeClock toHandler = new ChangeClock();

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

            var writes =
                    new SteadyWrites(world.client().getConfiguration(), OBJECTS, rate, List.of(toEvent, toHandler));
            progress.say("warming up for " + warmUp + " s");
            writes.send(Duration.ofSeconds(warmUp));
            awaitAll();
            writes.forget();
            progress.say("measuring " + rate + " changes/s for " + seconds + " s on a " + world.kubernetes() + " API");
            writes.send(Duration.ofSeconds(seconds));
            awaitAll();

            var answer = new Percentiles(writes.toAnswer().nanos());
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
        SteadyWrites.reached(toEvent, event, System.nanoTime());
    }

    private void awaitAll() throws InterruptedException {
        BenchWorld.await(
                () -> Optional.of(toHandler.unseen() + (event ? toEvent.unseen() : 0))
                        .filter(unseen -> unseen > 0)
                        .map(unseen -> unseen + " changes unseen"),
                PATIENCE);
    }
}
