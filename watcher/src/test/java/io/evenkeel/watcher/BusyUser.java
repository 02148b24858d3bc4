package io.evenkeel.watcher;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Keeps creating, changing and deleting ConfigMaps, until told to rest. */
final class BusyUser implements AutoCloseable {
    /** What the names of its objects begin with. */
    static final String NAME = "object-";

    private static final Duration PACE = Duration.ofMillis(100);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int AMID = 3;

    private final SimCluster cluster;
    private final ServerHistory history;
    private final AtomicInteger changes = new AtomicInteger();
    private final AtomicInteger objects = new AtomicInteger();
    private volatile boolean resting;
    private Thread thread = Thread.ofVirtual().unstarted(() -> {});

    BusyUser(SimCluster cluster) throws IOException, InterruptedException {
        this.cluster = cluster;
        this.history = new ServerHistory(cluster.kube, SimCluster.CONFIG_MAPS);
    }

    /** Returns amid the changes. */
    void start() {
        resting = false;
        int before = changes.get();
        thread = Thread.ofVirtual().start(() -> {
            while (!resting) {
                makeChanges(NAME + objects.incrementAndGet());
            }
        });
        await().atMost(PATIENCE).until(() -> changes.get() >= before + AMID);
    }

    /** What the server has shown, once the user has ended what was begun. */
    List<String> rest() throws InterruptedException {
        resting = true;
        thread.join();
        await().atMost(PATIENCE).until(() -> history.changes().size() == changes.get());
        return history.changes();
    }

    private void makeChanges(String name) {
        change(() -> cluster.create(name));
        change(() -> cluster.change(name));
        if (objects.get() % 2 == 0) {
            change(() -> cluster.delete(name));
        }
    }

    private void change(Runnable request) {
        LockSupport.parkNanos(PACE.toNanos());
        request.run();
        changes.incrementAndGet();
    }

    @Override
    public void close() throws IOException {
        resting = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        history.close();
    }
}
