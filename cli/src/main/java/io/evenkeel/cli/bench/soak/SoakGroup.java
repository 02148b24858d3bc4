package io.evenkeel.cli.bench.soak;

import io.evenkeel.runtime.kafka.KafkaSettings;
import io.evenkeel.runtime.kafka.TopicAdmin;
import io.evenkeel.sandbox.TemporaryFolder;
import io.evenkeel.sandbox.kube.KubeSim;
import io.evenkeel.sandbox.real.RealKubeApi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.LongStream;

/**
 * Some seeds at the same time, each with a cluster of its own, under one watcher that writes to topics of its own. The watcher
 * starts after the histories have begun, is ended while they go on, is away for a part of them, and starts again.
 */
public final class SoakGroup {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final int POLL_MILLIS = 50;

    private final String bootstrapServers;
    private final String prefix;
    private final Function<WatcherSpec, WatcherRun> watchers;

    /**
     * @param bootstrapServers of Kafka
     * @param prefix of the topics; no other group may have it
     */
    public SoakGroup(String bootstrapServers, String prefix) {
        this(bootstrapServers, prefix, WatcherRun::inThisProcess);
    }

    /** The same with a watcher in a process of its own, which is killed. */
    public static SoakGroup withKilledWatcher(String bootstrapServers, String prefix) {
        return new SoakGroup(bootstrapServers, prefix, KilledProcess::new);
    }

    private SoakGroup(String bootstrapServers, String prefix, Function<WatcherSpec, WatcherRun> watchers) {
        this.bootstrapServers = bootstrapServers;
        this.prefix = prefix;
        this.watchers = watchers;
    }

    /**
     * Plays seeds on simulated clusters.
     *
     * @param seeds with the same number of restarts
     */
    public SoakResult play(List<Long> seeds) throws IOException, InterruptedException {
        String group = "soak.example.com";
        List<String> names = seeds.stream().map(SoakGroup::name).toList();
        try (KubeSim sim = KubeSim.builder().clusters(names).start()) {
            return play(
                    seeds.stream().map(seed -> Plan.of(seed, group)).toList(),
                    plan -> new SimulatedServer(sim, name(plan.seed()), plan.kinds()));
        }
    }

    /**
     * Plays seeds on one kube-apiserver, each in a namespace of its own and with a kind of its own.
     *
     * @param seeds with the same number of restarts; all of them see all that happens, so a few
     */
    public SoakResult play(List<Long> seeds, RealKubeApi api) throws IOException, InterruptedException {
        return play(
                seeds.stream()
                        .map(seed -> Plan.of(seed, name(seed) + ".soak.example.com"))
                        .toList(),
                plan -> new RealServer(api, name(plan.seed())));
    }

    /** The seeds that can be played together, from one up to the last that is wanted. */
    public static List<Long> from(long first, long last) {
        long end = (Math.floorDiv(first, Plan.GROUP) + 1) * Plan.GROUP - 1;
        return LongStream.rangeClosed(first, Math.min(end, last)).boxed().toList();
    }

    /** What the cluster of a seed is called. */
    static String name(long seed) {
        return "seed-" + Long.toUnsignedString(seed);
    }

    SoakResult play(List<Plan> plans, Function<Plan, SoakServer> servers) throws IOException, InterruptedException {
        Path folder = TemporaryFolder.create("soak");
        var runs = new ArrayList<SeedRun>();
        try (ExecutorService players = Executors.newVirtualThreadPerTaskExecutor()) {
            Path straight = Files.createDirectory(folder.resolve("straight"));
            Path faulty = Files.createDirectory(folder.resolve("faulty"));
            for (Plan plan : plans) {
                runs.add(new SeedRun(plan, servers.apply(plan), straight, faulty));
            }
            List<String> resources = plans.stream()
                    .flatMap(plan -> plan.kinds().stream())
                    .map(SoakKind::resource)
                    .distinct()
                    .toList();
            var spec = new WatcherSpec(bootstrapServers, prefix, faulty, resources);
            try (var topics = new TopicAdmin(KafkaSettings.at(bootstrapServers), spec.layout())) {
                topics.apply();
            }
            try (WatcherRun watcher = watchers.apply(spec);
                    LogReader log = new LogReader(bootstrapServers, spec.layout())) {
                int restarts = history(runs, players, watcher, log);
                await(runs, log);
                return new SoakResult(
                        runs.stream().map(run -> run.judge(log)).toList(),
                        log.events(),
                        log.gaps(),
                        runs.stream().mapToLong(SeedRun::faults).sum(),
                        restarts);
            }
        } finally {
            runs.forEach(SeedRun::close);
            TemporaryFolder.delete(folder);
        }
    }

    private static int history(List<SeedRun> runs, ExecutorService players, WatcherRun watcher, LogReader log)
            throws InterruptedException {
        int parts = runs.getFirst().plan().parts().size();
        await(start(runs, players, run -> {
            run.prepare();
            run.play(0);
        }));
        for (int part = 1; part < parts; part++) {
            int now = part;
            if (part % 2 == 0) {
                await(start(runs, players, run -> run.play(now)));
                continue;
            }
            watcher.start();
            await(start(runs, players, SeedRun::mark));
            await(() -> {
                log.readOn();
                return runs.stream().filter(run -> run.hasArrived(log)).count() >= half(runs);
            });
            var half = new CountDownLatch(half(runs));
            List<Future<?>> playing = start(runs, players, run -> {
                try {
                    run.play(now);
                } finally {
                    half.countDown();
                }
            });
            if (part < parts - 1) {
                half.await(); // the others are still at it
                watcher.end();
            }
            await(playing);
        }
        await(start(runs, players, SeedRun::calm));
        return parts / 2 - 1;
    }

    private static int half(List<SeedRun> runs) {
        return (runs.size() + 1) / 2;
    }

    /** What a history does. */
    @FunctionalInterface
    private interface Deed {
        void of(SeedRun run) throws InterruptedException;
    }

    private static List<Future<?>> start(List<SeedRun> runs, ExecutorService players, Deed deed) {
        var futures = new ArrayList<Future<?>>();
        for (SeedRun run : runs) {
            Callable<Boolean> playing = () -> {
                deed.of(run);
                return true;
            };
            futures.add(players.submit(playing));
        }
        return futures;
    }

    private static void await(List<Future<?>> futures) throws InterruptedException {
        for (Future<?> future : futures) {
            try {
                future.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException("a history could not be played: " + e.getCause(), e.getCause());
            }
        }
    }

    private static void await(List<SeedRun> runs, LogReader log) throws InterruptedException {
        var incomplete = new ArrayList<>(runs);
        await(() -> {
            log.readOn();
            for (SeedRun run : List.copyOf(incomplete)) {
                if (run.isComplete(log)) {
                    incomplete.remove(run);
                }
            }
            return incomplete.isEmpty();
        });
        log.readOn(); // the ends of the partitions are not asked for at one moment
    }

    /** Waits, but not for ever: what never comes is a finding in the end. */
    private static void await(Condition condition) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.isMet() && System.nanoTime() < deadline) {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    /** What is waited for. */
    @FunctionalInterface
    private interface Condition {
        boolean isMet() throws InterruptedException;
    }
}
