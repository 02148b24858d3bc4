package io.evenkeel.cli.bench.work;

import io.evenkeel.cli.bench.work.WorkerSpec.Handling;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** The measurements of workers on objects that are written straight to the log. */
public final class WorkBench implements AutoCloseable {
    private static final int SLEEP_MILLIS = 20;
    private static final int SLEEP_CONCURRENCY = 500;
    private static final int SCALE_KEYS_EACH = 30_000;

    private final WorkWorld world;
    private final int keys;
    private final int manyKeys;
    private final int warmUps;

    /**
     * Starts a broker.
     *
     * @param keys of most measurements
     * @param manyKeys of those of one process with very many
     * @param warmUps how often a rate is measured before the round that counts
     * @param progress told what is being done
     * @param patience after so long without progress a measurement is given up
     */
    public WorkBench(int keys, int manyKeys, int warmUps, Consumer<String> progress, Duration patience)
            throws IOException {
        this.world = new WorkWorld(progress, patience);
        this.keys = keys;
        this.manyKeys = manyKeys;
        this.warmUps = warmUps;
    }

    /** Handlers that return at once. */
    public Map<String, Object> noop() throws InterruptedException {
        WorkRates.Rate rate = new WorkRates(world, keys, warmUps).of("noop", Handling.NOTHING);
        return fields(
                "noop_reconciles_per_s",
                Math.round(rate.warm()),
                "noop_cold_reconciles_per_s",
                Math.round(rate.cold()));
    }

    /** Handlers that wait 20 ms, 500 at one time. */
    public Map<String, Object> sleep() throws InterruptedException {
        WorkRates.Rate rate = new WorkRates(world, keys, Math.min(1, warmUps))
                .of("sleep", Handling.sleeping(SLEEP_MILLIS, SLEEP_CONCURRENCY));
        return fields("sleep20_reconciles_per_s", Math.round(rate.warm()));
    }

    /** A tenth of the keys always fails. */
    public Map<String, Object> poison() throws InterruptedException {
        return fields("poison_ratio", hundredths(new WorkRates(world, keys, 0).poisonRatio()));
    }

    /** One of 20 clusters answers nothing. */
    public Map<String, Object> clusters() throws InterruptedException {
        return fields("dead_cluster_ratio", hundredths(new WorkRates(world, keys, warmUps).deadClusterRatio()));
    }

    /** What a process with very many keys takes. */
    public Map<String, Object> memory() {
        WorkProcesses.Memory memory = new WorkProcesses(world).memory(manyKeys);
        return fields("heap_mib_1m", memory.heapMib(), "rss_mib_1m", memory.residentMib());
    }

    /** A restart, with some keys and with very many. */
    public Map<String, Object> restart() throws InterruptedException {
        WorkProcesses.Restart some = new WorkProcesses(world).restart(keys);
        WorkProcesses.Restart many = manyKeys == keys ? some : new WorkProcesses(world).restart(manyKeys);
        return fields(
                "restart_first_change_s",
                tenths(some.firstChangeSeconds()),
                "restart_first_change_s_1m",
                tenths(many.firstChangeSeconds()),
                "restart_lists",
                some.lists() + many.lists(),
                "restart_done_again",
                some.doneAgain() + many.doneAgain());
    }

    /** A restart amid changes. */
    public Map<String, Object> storm() throws InterruptedException {
        WorkProcesses.Storm storm = new WorkProcesses(world).storm(keys);
        return fields("storm_handled", storm.handledShare(), "storm_ms_p50", tenths(storm.millisP50()));
    }

    /** A process is killed, the other has copies of its state. */
    public Map<String, Object> takeover() throws InterruptedException {
        return fields("takeover_s", tenths(new WorkProcesses(world).takeover(manyKeys)));
    }

    /** One, two and four processes. */
    public Map<String, Object> scale() throws InterruptedException {
        var processes = new WorkProcesses(world);
        int each = Math.min(SCALE_KEYS_EACH, keys);
        double one = processes.rate(1, each);
        double two = processes.rate(2, each);
        double four = processes.rate(4, each);
        return fields(
                "scale_1_reconciles_per_s",
                Math.round(one),
                "scale_2",
                hundredths(two / one),
                "scale_4",
                hundredths(four / one));
    }

    private static Map<String, Object> fields(Object... namesAndValues) {
        var fields = new LinkedHashMap<String, Object>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return fields;
    }

    private static double tenths(double value) {
        return Math.round(value * 10) / 10.0;
    }

    private static double hundredths(double value) {
        return Math.round(value * 100) / 100.0;
    }

    @Override
    public void close() {
        world.close();
    }
}
