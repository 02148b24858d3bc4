package io.evenkeel.cli.bench;

import io.evenkeel.api.json.Json;
import io.evenkeel.api.record.ChangeEvent;
import io.evenkeel.api.record.CloudEventHeaders;
import io.evenkeel.api.record.Gap;
import io.evenkeel.sandbox.process.ChildJvm;
import io.evenkeel.sandbox.process.ChildProcess;
import io.evenkeel.watcher.Watcher;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Kills the process that follows some of the shards of a cluster, and takes the time until another one has brought a change
 * of each of them to the log. All of them change all the time. Not thread-safe.
 */
final class MoveBench {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final BenchEngine engine;
    private final int shards;
    private final Path output;

    /** By kind, when a change that was read after {@link #killedAt} could first be read from the log. */
    private final Map<String, Long> arrivals = new ConcurrentHashMap<>();

    private volatile Instant killedAt = Instant.MIN;

    /**
     * @param engine of the cluster whose objects change
     * @param shards how many it has
     * @param output where the process that is killed writes to
     */
    MoveBench(BenchEngine engine, int shards, Path output) {
        this.engine = engine;
        this.shards = shards;
        this.output = output;
    }

    /**
     * What came of it.
     *
     * @param shards that moved
     * @param seconds until the last of them was followed by its new owner
     */
    record Result(int shards, double seconds) {}

    Result run() throws InterruptedException {
        engine.listen(this::arrived);
        try (ChildProcess dying = ChildJvm.of(EngineMain.class)
                .arguments(engine.values().entrySet().stream()
                        .map(setting -> setting.getKey() + "=" + setting.getValue())
                        .toArray(String[]::new))
                .output(output)
                .start()) {
            BenchWorld.await(missing("with the first process"), PATIENCE);
            Watcher survivor = engine.startWatcher();
            BenchWorld.await(
                    () -> survivor.shards().isEmpty() ? Optional.of("no shard has moved yet") : survivor.notReady(),
                    PATIENCE);
            int moved = shards - survivor.shards().size();
            arrivals.clear();
            killedAt = Instant.now();
            long killedNanos = System.nanoTime();
            dying.kill();
            BenchWorld.await(missing("since the kill"), PATIENCE);
            long last =
                    arrivals.values().stream().mapToLong(Long::longValue).max().orElse(killedNanos);
            return new Result(moved, Math.round((last - killedNanos) / 1e7) / 100.0);
        }
    }

    private Supplier<Optional<String>> missing(String when) {
        return () -> Optional.of(shards - arrivals.size())
                .filter(left -> left > 0)
                .map(left -> left + " shards brought no change " + when);
    }

    /** On the listener's thread. */
    private void arrived(ConsumerRecord<byte[], byte[]> record) {
        boolean gap = CloudEventHeaders.text(record.headers(), CloudEventHeaders.TYPE)
                .equals(Optional.of(Gap.CLOUD_EVENT_TYPE));
        if (gap) {
            return;
        }
        ChangeEvent event = Json.read(record.value(), ChangeEvent.class);
        if (event.observedAt().isAfter(killedAt)) {
            arrivals.putIfAbsent(event.group() + "/" + event.kind(), System.nanoTime());
        }
    }
}
