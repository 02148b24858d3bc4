package io.evenkeel.cli.bench;

import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.reconciler.Outcome;
import io.evenkeel.reconciler.Worker;
import io.evenkeel.watcher.Watcher;
import io.evenkeel.worker.WorkerProcess;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** From a write to the API server to the start of the handler, at 200 changes a second. */
final class HandlerLatency {
    private static final int OBJECTS = 1_800;
    private static final int POISON = 200;
    private static final int RATE = 200;
    private static final int SLEEP_MILLIS = 20;
    private static final int CONCURRENCY = 10;
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String POISON_PREFIX = "poison-";

    private final Map<String, String> environment;
    private final Progress progress;
    private final int warmUp;
    private final int seconds;
    private final ChangeClock toHandler = new ChangeClock();

    /**
     * @param warmUp seconds of the same load before
     * @param seconds how long it is measured
     */
    HandlerLatency(Map<String, String> environment, Progress progress, int warmUp, int seconds) {
        this.environment = environment;
        this.progress = progress;
        this.warmUp = warmUp;
        this.seconds = seconds;
    }

    /** Handlers that return at once. */
    Map<String, Object> plain() throws InterruptedException {
        Percentiles handler =
                measure(0, Worker.named("bench").reconcile(ConfigMap.class).with((map, context) -> {
                    begin(map);
                    return Outcome.done();
                }));
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("write_to_handler_ms_p50", handler.millis(50));
        fields.put("write_to_handler_ms_p99", handler.millis(99));
        return fields;
    }

    /** Handlers of 20 ms, 10 at one time; a tenth of the keys always fails, the others are changed. */
    Map<String, Object> besidePoison() throws InterruptedException {
        Percentiles handler = measure(
                POISON,
                Worker.named("bench")
                        .reconcile(ConfigMap.class)
                        .concurrency(CONCURRENCY)
                        .with((map, context) -> {
                            begin(map);
                            Thread.sleep(SLEEP_MILLIS);
                            if (map.getMetadata().getName().startsWith(POISON_PREFIX)) {
                                throw new IllegalStateException("this key always fails");
                            }
                            return Outcome.done();
                        }));
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("poison_latency_ms_p50", handler.millis(50));
        fields.put("poison_latency_ms_p99", handler.millis(99));
        return fields;
    }

    private void begin(ConfigMap map) {
        Optional.ofNullable(map.getData())
                .map(data -> data.get("number"))
                .ifPresent(written ->
                        toHandler.reached(map.getMetadata().getName(), Long.parseLong(written), System.nanoTime()));
    }

    private Percentiles measure(int poison, Worker worker) throws InterruptedException {
        try (var world = new BenchWorld(environment);
                var engine = world.engine(TopicLayout.DEFAULT_PREFIX)) {
            world.createObjects(OBJECTS);
            for (int number = 0; number < poison; number++) {
                world.create(POISON_PREFIX + number);
            }
            Watcher watcher = engine.startWatcher();
            WorkerProcess process = engine.startWorker(worker);
            BenchWorld.await(() -> watcher.notReady().or(process::notReadyBecause), PATIENCE);
            var writes = new SteadyWrites(world.client().getConfiguration(), OBJECTS, RATE, List.of(toHandler));
            progress.say("warming up for " + warmUp + " s on a " + world.kubernetes() + " API");
            writes.send(Duration.ofSeconds(warmUp));
            awaitAll();
            writes.forget();
            progress.say(RATE + " changes/s for " + seconds + " s");
            writes.send(Duration.ofSeconds(seconds));
            awaitAll();
            return new Percentiles(toHandler.nanos());
        }
    }

    private void awaitAll() throws InterruptedException {
        BenchWorld.await(
                () -> Optional.of(toHandler.unseen())
                        .filter(unseen -> unseen > 0)
                        .map(unseen -> unseen + " changes unseen"),
                PATIENCE);
    }
}
