package io.evenkeel.watcher.health;

import io.evenkeel.api.ShardKey;
import io.evenkeel.api.record.ShardState;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToIntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The states of the shards that this process owns; logs each change. Thread-safe. */
public final class ShardStatuses {
    private static final Logger LOG = LoggerFactory.getLogger(ShardStatuses.class);

    private final Map<ShardKey, ShardStatus> statuses = new ConcurrentHashMap<>();
    private final Map<ShardKey, ShardProgress> progress = new ConcurrentHashMap<>();
    private final Map<Integer, Set<ShardKey>> changed = new ConcurrentHashMap<>();
    private final InstantSource clock;
    private final ToIntFunction<ShardKey> partitioner;

    /**
     * No shard yet.
     *
     * @param partitioner on which partition of {@code watch-state} a shard lies
     */
    public ShardStatuses(InstantSource clock, ToIntFunction<ShardKey> partitioner) {
        this.clock = clock;
        this.partitioner = partitioner;
    }

    /** The shard is this process's, from now until it is forgotten. */
    public void begin(ShardKey shard) {
        var begun = new ShardStatus(ShardState.SYNCING, clock.instant(), "");
        if (statuses.putIfAbsent(shard, begun) == null) {
            changedOn(partitioner.applyAsInt(shard)).add(shard);
        }
    }

    /**
     * The shard is now in a state; a shard that was forgotten, or never begun, stays so.
     *
     * @param detail what is wrong and what to do about it; empty if nothing is
     */
    public void set(ShardKey shard, ShardState state, String detail) {
        Instant now = clock.instant();
        ShardStatus before = statuses.get(shard);
        while (before != null && !(before.state() == state && before.detail().equals(detail))) {
            boolean sameState = before.state() == state;
            if (statuses.replace(shard, before, new ShardStatus(state, sameState ? before.since() : now, detail))) {
                // Only now: whoever takes the change must find the status that it is about.
                changedOn(partitioner.applyAsInt(shard)).add(shard);
                log(shard, state, detail, sameState);
                return;
            }
            before = statuses.get(shard);
        }
    }

    private static void log(ShardKey shard, ShardState state, String detail, boolean sameState) {
        boolean bad = state != ShardState.LIVE && state != ShardState.SYNCING;
        (bad ? LOG.atWarn() : sameState ? LOG.atDebug() : LOG.atInfo())
                .addKeyValue("shard", shard)
                .addKeyValue("state", state)
                .addKeyValue("detail", detail)
                .log("shard changed state");
    }

    /** The shard is another process's now, or there is no such shard any more. */
    public void forget(ShardKey shard) {
        statuses.remove(shard);
        progress.remove(shard);
    }

    /** How far the shard's watch has come. */
    public ShardProgress progress(ShardKey shard) {
        return progress.computeIfAbsent(shard, unused -> new ShardProgress());
    }

    /** All of them, by shard. */
    public Map<ShardKey, ShardStatus> all() {
        var sorted = new TreeMap<ShardKey, ShardStatus>((a, b) -> a.toString().compareTo(b.toString()));
        sorted.putAll(statuses);
        return sorted;
    }

    Optional<ShardProgress> findProgress(ShardKey shard) {
        return Optional.ofNullable(progress.get(shard));
    }

    int count() {
        return statuses.size();
    }

    Optional<ShardStatus> find(ShardKey shard) {
        return Optional.ofNullable(statuses.get(shard));
    }

    boolean hasChanges(int partition) {
        return !changedOn(partition).isEmpty();
    }

    /** The shards of a partition whose status changed since this was asked last. */
    Set<ShardKey> takeChanges(int partition) {
        Set<ShardKey> all = changedOn(partition);
        var taken = new HashSet<ShardKey>();
        all.removeIf(taken::add);
        return taken;
    }

    private Set<ShardKey> changedOn(int partition) {
        return changed.computeIfAbsent(partition, unused -> ConcurrentHashMap.newKeySet());
    }
}
