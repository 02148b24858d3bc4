package io.evenkeel.cli.bench.work;

import io.evenkeel.reconciler.Context;
import io.evenkeel.reconciler.Outcome;
import io.evenkeel.reconciler.Worker;
import io.evenkeel.runtime.cluster.ClusterChoice;
import io.evenkeel.runtime.kafka.KafkaSettings;
import io.evenkeel.runtime.kafka.TopicSettings;
import io.evenkeel.runtime.settings.SettingsReader;
import io.evenkeel.worker.GroupSettings;
import io.evenkeel.worker.WorkerConfig;
import io.evenkeel.worker.WorkerProcess;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** A worker whose handler counts. Thread-safe. */
final class MeasuredWorker implements AutoCloseable {
    /** Of the keys that fail. */
    static final int TENTH = 10;

    private static final String SHORT_SESSION_MILLIS = "6000";
    private static final String SHORT_DRAIN_MILLIS = "1000";

    private final WorkerSpec spec;
    private final int apartFrom;
    private final ChangeListener changes;
    private final AtomicLong calls = new AtomicLong();
    private final BitSet handled; // guarded by itself, as are the rest
    private int others;
    private long firstNanos;
    private long lastNanos;
    private long lastOfOthersNanos;
    private final WorkerProcess process;

    /** Is told of each state that was written by {@link ObjectFlood#change}, when its handler begins. */
    interface ChangeListener {
        void began(long sequence, long sentMicros);
    }

    /**
     * Starts it.
     *
     * @param apartFrom each key whose number it divides is left out of {@link #others}
     */
    MeasuredWorker(WorkerSpec spec, int apartFrom, ChangeListener changes) {
        this.spec = spec;
        this.apartFrom = apartFrom;
        this.changes = changes;
        this.handled = new BitSet(spec.keys());
        this.process = WorkerProcess.start(
                Worker.named("bench").reconcile(ConfigMap.class).with(this::handle), config());
    }

    private WorkerConfig config() {
        Map<String, String> values = new HashMap<>(Map.of(
                KafkaSettings.BOOTSTRAP_SERVERS.key(),
                spec.bootstrapServers(),
                TopicSettings.PREFIX.key(),
                spec.prefix(),
                TopicSettings.PARTITIONS.key(),
                Integer.toString(spec.partitions()),
                TopicSettings.REPLICATION_FACTOR.key(),
                "1",
                TopicSettings.MIN_INSYNC_REPLICAS.key(),
                "1",
                ClusterChoice.FOLDER.key(),
                spec.kubeconfigs(),
                WorkerConfig.STATE_DIR.key(),
                spec.stateDir(),
                WorkerConfig.DRAIN_TIMEOUT.key(),
                SHORT_DRAIN_MILLIS,
                GroupSettings.SESSION_TIMEOUT.key(),
                SHORT_SESSION_MILLIS,
                GroupSettings.STANDBY_REPLICAS.key(),
                Integer.toString(spec.standbyReplicas())));
        values.put(TopicSettings.WATCH_STATE_PARTITIONS.key(), Integer.toString(spec.partitions()));
        values.put(
                WorkerConfig.STREAM_THREADS.key(),
                Integer.toString(Runtime.getRuntime().availableProcessors()));
        if (spec.handling().concurrency() > 0) {
            values.put("worker.concurrency", Integer.toString(spec.handling().concurrency()));
            values.put(
                    "worker.concurrency-per-cluster",
                    Integer.toString(spec.handling().concurrency()));
        }
        return WorkerConfig.from(SettingsReader.of(WorkerConfig.CATALOGUE)
                .program("bench", values)
                .read());
    }

    private Outcome handle(ConfigMap map, Context<ConfigMap> context) throws InterruptedException {
        long begun = System.nanoTime();
        calls.incrementAndGet();
        String name = map.getMetadata().getName();
        int number = ObjectFlood.number(name)
                .orElseThrow(() -> new IllegalStateException("nobody wrote an object named " + name));
        Optional.ofNullable(map.getData().get("sequence"))
                .ifPresent(sequence -> changes.began(
                        Long.parseLong(sequence), Long.parseLong(map.getData().getOrDefault("sent", "0"))));
        if (spec.handling().reads()) {
            context.read(ConfigMap.class, map.getMetadata().getNamespace(), "any");
        }
        if (spec.handling().sleepMillis() > 0) {
            Thread.sleep(spec.handling().sleepMillis());
        }
        boolean fails = number % TENTH == 0 && spec.handling().failsEachTenth();
        count(number, begun);
        if (fails) {
            throw new IllegalStateException("this key always fails");
        }
        return Outcome.done();
    }

    private void count(int number, long begun) {
        synchronized (handled) {
            if (handled.isEmpty()) {
                firstNanos = begun;
            }
            if (!handled.get(number)) {
                handled.set(number);
                lastNanos = System.nanoTime();
                if (number % apartFrom != 0) {
                    others++;
                    lastOfOthersNanos = lastNanos;
                }
            }
        }
    }

    /** How many keys were handled once or more. */
    int handled() {
        synchronized (handled) {
            return handled.cardinality();
        }
    }

    /** As {@link #handled}, without those whose number is a multiple. */
    int others() {
        synchronized (handled) {
            return others;
        }
    }

    /** Calls of the handler. */
    long calls() {
        return calls.get();
    }

    /** Keys per second, from the first call to the end of the last key's first call. */
    double perSecond() {
        synchronized (handled) {
            return handled.cardinality() * 1e9 / Math.max(1, lastNanos - firstNanos);
        }
    }

    /** As {@link #perSecond}, of the others only. */
    double othersPerSecond() {
        synchronized (handled) {
            return others * 1e9 / Math.max(1, lastOfOthersNanos - firstNanos);
        }
    }

    /** Why it does not work any more; empty if it does. */
    Optional<String> deadBecause() {
        return process.deadBecause();
    }

    boolean isReady() {
        return process.isReady();
    }

    static long epochMicros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    @Override
    public void close() {
        process.close();
    }
}
