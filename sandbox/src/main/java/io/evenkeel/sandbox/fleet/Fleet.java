package io.evenkeel.sandbox.fleet;

import io.evenkeel.sandbox.kube.KubeSim;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;

/**
 * Many simulated clusters behind one port, full of objects of 30 resources each, that change at a steady rate. The same
 * seed gives each cluster the same history, times of the clock aside. Thread-safe.
 */
public final class Fleet implements AutoCloseable {
    private static final int WORKERS = Math.max(1, Runtime.getRuntime().availableProcessors());
    private static final long NANOS = 1_000_000_000L;

    private final FleetPlan plan;
    private final KubeSim sim;
    private final List<FleetCluster> clusters = new ArrayList<>();
    private final AtomicLong changes = new AtomicLong();
    private final List<Thread> workers = new ArrayList<>(); // guarded by this
    private volatile boolean stopped;

    private Fleet(FleetPlan plan, KubeSim sim, Clock clock) {
        this.plan = plan;
        this.sim = sim;
        var seeds = new SplittableRandom(plan.seed());
        Map<String, Prototype> prototypes = Prototype.all();
        List<String> names = plan.names();
        for (int cluster = 0; cluster < plan.clusters(); cluster++) {
            clusters.add(new FleetCluster(
                    sim.cluster(names.get(cluster)), plan.objectsOf(cluster), prototypes, clock, seeds.nextLong()));
        }
    }

    /**
     * Starts to listen and makes all objects; nothing changes yet.
     *
     * @param port 0 for a free one
     * @param historyWindow how many changes of each cluster can still be watched, 1 or more
     * @param filled told now and then how many clusters are complete; called by several threads
     * @throws io.evenkeel.sandbox.PortTakenException if the port is taken
     */
    public static Fleet start(FleetPlan plan, int port, int historyWindow, Clock clock, IntConsumer filled)
            throws IOException {
        KubeSim sim = KubeSim.builder()
                .port(port)
                .clock(clock)
                .clusters(plan.names())
                .historyWindow(historyWindow)
                // Not the source of the contents: one would shift the other.
                .random(new SplittableRandom(~plan.seed()))
                .start();
        var fleet = new Fleet(plan, sim, clock);
        try {
            fleet.fill(filled);
            return fleet;
        } catch (RuntimeException e) {
            fleet.close();
            throw e;
        }
    }

    private void fill(IntConsumer filled) {
        var next = new AtomicInteger();
        var complete = new AtomicInteger();
        List<CompletableFuture<Void>> filling = new ArrayList<>();
        for (int worker = 0; worker < WORKERS; worker++) {
            var done = new CompletableFuture<Void>();
            Thread.ofPlatform().daemon().name("fleet-fill-" + worker).start(() -> {
                try {
                    for (int at = next.getAndIncrement();
                            at < clusters.size() && !stopped;
                            at = next.getAndIncrement()) {
                        clusters.get(at).fill();
                        filled.accept(complete.incrementAndGet());
                    }
                    done.complete(null);
                } catch (RuntimeException e) {
                    done.completeExceptionally(e);
                }
            });
            filling.add(done);
        }
        CompletableFuture.allOf(filling.toArray(CompletableFuture[]::new)).join();
    }

    /** Lets the clusters change from now on, each at its share of the plan's rate. */
    public synchronized void startChanges() {
        stopped = false;
        int count = Math.min(WORKERS, clusters.size());
        for (int worker = 0; worker < (plan.changesPerSecond() == 0 ? 0 : count); worker++) {
            int first = worker;
            workers.add(
                    Thread.ofPlatform().daemon().name("fleet-changes-" + worker).start(() -> change(first, count)));
        }
    }

    /** Changes every {@code count}-th cluster in turn: one cluster is only ever changed by one thread, in order. */
    private void change(int first, int count) {
        long begun = System.nanoTime();
        for (long round = 0; ; round++) {
            for (int cluster = first; cluster < clusters.size(); cluster += count) {
                long due = dueNanos(round * clusters.size() + cluster);
                for (long wait = due - (System.nanoTime() - begun); wait > 0 && !stopped; ) {
                    LockSupport.parkNanos(wait);
                    wait = due - (System.nanoTime() - begun);
                }
                if (stopped) {
                    return;
                }
                clusters.get(cluster).change();
                changes.incrementAndGet();
            }
        }
    }

    private long dueNanos(long change) {
        long rate = plan.changesPerSecond();
        return change / rate * NANOS + change % rate * NANOS / rate;
    }

    /** Ends the changes; what was begun is finished. */
    public void stopChanges() {
        stopped = true;
        synchronized (this) {
            workers.forEach(LockSupport::unpark);
            workers.forEach(Fleet::join);
            workers.clear();
        }
    }

    /** The paths of the resources in each cluster, for example {@code /apis/apps/v1/deployments}. */
    public static List<String> resources() {
        return FleetKind.all().stream()
                .map(kind -> "/" + String.join("/", kind.path()))
                .toList();
    }

    /** The names of the resources, for example {@code deployments.apps}, or {@code pods} of the core group. */
    public static List<String> resourceNames() {
        return FleetKind.all().stream().map(FleetKind::resourceName).toList();
    }

    /** The server that plays the clusters. */
    public KubeSim sim() {
        return sim;
    }

    public FleetPlan plan() {
        return plan;
    }

    /** Changes that were made so far. */
    public long changes() {
        return changes.get();
    }

    @Override
    public void close() {
        stopChanges();
        sim.close();
    }

    private static void join(Thread worker) {
        try {
            worker.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
