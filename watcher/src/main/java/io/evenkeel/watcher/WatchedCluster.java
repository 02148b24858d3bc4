package io.evenkeel.watcher;

import io.evenkeel.api.Partitioner;
import io.evenkeel.api.ShardKey;
import io.evenkeel.runtime.cluster.ClusterDefinition;
import io.evenkeel.watcher.connection.ClusterConnection;
import io.evenkeel.watcher.connection.ResourceType;
import io.evenkeel.watcher.connection.ServedResources;
import io.evenkeel.watcher.ownership.ShardPlan;
import io.evenkeel.watcher.watch.Backoff;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One cluster and its shards. If everything is to be watched, a virtual thread keeps looking at what the cluster serves. A
 * resource that was served once stays a shard for as long as this process knows the cluster: while its definition is being
 * deleted, its last deletions may still be on their way. Thread-safe.
 */
final class WatchedCluster implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WatchedCluster.class);

    /** What is said of the resources of a cluster that has neither answered nor failed. */
    static final String NOT_ASKED = "it was not asked yet";

    /** Where definitions cannot be watched, and for APIs that come in another way. */
    private static final Duration LONGEST_BETWEEN_LOOKS = Duration.ofMinutes(2);

    private final ResourcePlan plan;
    private final ClusterConnection connection;
    private final Runnable changed;
    private final InstantSource clock;
    private final Backoff backoff;
    private final Map<String, ResourceType> served = new LinkedHashMap<>(); // guarded by this
    private final Optional<Thread> looker;
    private final int partitions;
    private final long life;
    private ClusterDefinition definition; // guarded by this
    private volatile Map<Integer, Map<ShardKey, ShardPlan>> byPartition;
    private volatile Optional<String> unknown;

    /**
     * @param life a number that no other cluster of this process has, or had
     * @param partitions of {@code watch-state}
     * @param changed called, on any thread, when the shards have changed
     */
    WatchedCluster(
            ClusterDefinition definition,
            long life,
            int partitions,
            ResourcePlan plan,
            ClusterConnection connection,
            Runnable changed,
            InstantSource clock,
            RandomGenerator random) {
        this.definition = definition;
        this.life = life;
        this.partitions = partitions;
        this.plan = plan;
        this.connection = connection;
        this.changed = changed;
        this.clock = clock;
        this.backoff = new Backoff(random);
        this.byPartition = planned();
        this.unknown = plan.hasEverything() ? Optional.of(NOT_ASKED) : Optional.empty();
        this.looker = plan.hasEverything()
                ? Optional.of(Thread.ofVirtual()
                        .name("resources-" + definition.name())
                        .unstarted(this::look))
                : Optional.empty();
    }

    void start() {
        looker.ifPresent(Thread::start);
    }

    ClusterConnection connection() {
        return connection;
    }

    /** Its shards on one partition of {@code watch-state}. */
    Map<ShardKey, ShardPlan> shardsOf(int partition) {
        return byPartition.getOrDefault(partition, Map.of());
    }

    /** Why it is not known which resources the cluster has; empty if that is known, or not needed. */
    Optional<String> unknown() {
        return unknown;
    }

    synchronized ClusterDefinition definition() {
        return definition;
    }

    /** Follows the cluster under another address, with other credentials, or in another namespace. */
    synchronized void change(ClusterDefinition newer) {
        if (!newer.access().equals(definition.access())) {
            connection.change(newer);
        }
        definition = newer;
        byPartition = planned();
    }

    private Map<Integer, Map<ShardKey, ShardPlan>> planned() {
        var planned = new HashMap<Integer, Map<ShardKey, ShardPlan>>();
        plan.shards(definition, served.values())
                .forEach((shard, selection) -> planned.computeIfAbsent(
                                Partitioner.partition(shard, partitions), absent -> new HashMap<>())
                        .put(shard, new ShardPlan(selection, life)));
        return planned;
    }

    /** It is not watched any more; returns at once, unlike {@link #close}. */
    void retire() {
        connection.retire();
    }

    @Override
    public void close() {
        looker.ifPresent(Thread::interrupt);
        connection.close();
    }

    private void look() {
        try {
            while (true) {
                try {
                    take(connection.served(clock.instant()));
                    unknown = Optional.empty();
                    backoff.reset();
                    connection.awaitDefinitions(LONGEST_BETWEEN_LOOKS);
                } catch (IOException e) {
                    unknown = unknown.map(before -> String.valueOf(e.getMessage()));
                    LOG.atDebug()
                            .addKeyValue("cluster", connection.name())
                            .addKeyValue("cause", e.toString())
                            .log("resources of the cluster cannot be learnt at the moment");
                    Thread.sleep(backoff.next());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the way to end
        }
    }

    private void take(ServedResources found) {
        boolean isNew;
        synchronized (this) {
            Map<Integer, Map<ShardKey, ShardPlan>> before = byPartition;
            found.types().forEach(type -> served.put(type.plural() + "." + type.group(), type));
            byPartition = planned();
            isNew = !byPartition.equals(before);
        }
        if (isNew) {
            LOG.atInfo()
                    .addKeyValue("cluster", connection.name())
                    .addKeyValue(
                            "resources",
                            byPartition.values().stream().mapToInt(Map::size).sum())
                    .log("resources of the cluster learnt");
            changed.run();
        }
    }
}
