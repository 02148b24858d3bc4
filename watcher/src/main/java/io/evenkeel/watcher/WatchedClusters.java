package io.evenkeel.watcher;

import io.evenkeel.api.ShardKey;
import io.evenkeel.runtime.cluster.ClusterDefinition;
import io.evenkeel.watcher.ownership.ShardPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;

/** The clusters of now and their shards. Thread-safe. */
final class WatchedClusters implements AutoCloseable {
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(2);

    private final Function<ClusterDefinition, WatchedCluster> opening;
    private final Runnable changed;
    private final Consumer<String> removed;
    private final Map<String, WatchedCluster> clusters = new ConcurrentHashMap<>();

    /**
     * @param changed called when there are other clusters, or other shards of one
     * @param removed called with a cluster that is not watched any more, before it can return
     */
    WatchedClusters(Function<ClusterDefinition, WatchedCluster> opening, Runnable changed, Consumer<String> removed) {
        this.opening = opening;
        this.changed = changed;
        this.removed = removed;
    }

    /** These are the clusters from now on. Called by one thread at a time; waits for no cluster. */
    void are(Map<String, ClusterDefinition> definitions) {
        var leaving = new ArrayList<WatchedCluster>();
        List.copyOf(clusters.keySet()).stream()
                .filter(name -> !definitions.containsKey(name))
                .forEach(name -> Optional.ofNullable(clusters.remove(name)).ifPresent(leaving::add));
        var coming = new ArrayList<WatchedCluster>();
        definitions.forEach((name, definition) -> {
            WatchedCluster known = clusters.get(name);
            if (known == null) {
                WatchedCluster cluster = opening.apply(definition);
                clusters.put(name, cluster);
                coming.add(cluster);
            } else if (!known.definition().equals(definition)) {
                known.change(definition);
            }
        });
        changed.run();
        // Here and not by the thread that closes them: one that returns would lose its new meters.
        leaving.forEach(cluster -> {
            cluster.retire();
            removed.accept(cluster.connection().name());
        });
        coming.forEach(WatchedCluster::start);
        leaving.forEach(WatchedClusters::close);
    }

    Map<ShardKey, ShardPlan> shardsOf(int partition) {
        var shards = new HashMap<ShardKey, ShardPlan>();
        clusters.values().forEach(cluster -> shards.putAll(cluster.shardsOf(partition)));
        return shards;
    }

    Optional<WatchedCluster> find(String name) {
        return Optional.ofNullable(clusters.get(name));
    }

    /** Clusters whose resources are not known, and why. */
    Map<String, String> unknown() {
        var unknown = new TreeMap<String, String>();
        clusters.forEach((name, cluster) -> cluster.unknown().ifPresent(why -> unknown.put(name, why)));
        return unknown;
    }

    @Override
    public void close() {
        List<Thread> closing =
                clusters.values().stream().map(WatchedClusters::close).toList();
        long end = System.nanoTime() + CLOSE_PATIENCE.toNanos();
        try {
            for (Thread thread : closing) {
                thread.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** On a thread of its own: a cluster that hangs may hold its connection for seconds. */
    private static Thread close(WatchedCluster cluster) {
        return Thread.ofVirtual().name("close-" + cluster.connection().name()).start(cluster::close);
    }
}
