package io.evenkeel.watcher.health;

import io.evenkeel.api.ShardKey;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The states of the shards that this process owns; logs each change. Thread-safe. */
public final class ShardStatuses {
    private static final Logger LOG = LoggerFactory.getLogger(ShardStatuses.class);

    private final Map<ShardKey, ShardStatus> statuses = new ConcurrentHashMap<>();
    private final InstantSource clock;

    /** No shard yet. */
    public ShardStatuses(InstantSource clock) {
        this.clock = clock;
    }

    /** The shard is this process's, from now until it is forgotten. */
    public void begin(ShardKey shard) {
        statuses.putIfAbsent(shard, new ShardStatus(ShardState.SYNCING, clock.instant(), ""));
    }

    /**
     * The shard is now in a state; a shard that was forgotten, or never begun, stays so.
     *
     * @param detail what is wrong and what to do about it; empty if nothing is
     */
    public void set(ShardKey shard, ShardState state, String detail) {
        Instant now = clock.instant();
        statuses.computeIfPresent(shard, (key, before) -> {
            boolean sameState = before.state() == state;
            if (sameState && before.detail().equals(detail)) {
                return before;
            }
            boolean bad = state != ShardState.LIVE && state != ShardState.SYNCING;
            (bad ? LOG.atWarn() : sameState ? LOG.atDebug() : LOG.atInfo())
                    .addKeyValue("shard", shard)
                    .addKeyValue("state", state)
                    .addKeyValue("detail", detail)
                    .log("shard changed state");
            return new ShardStatus(state, sameState ? before.since() : now, detail);
        });
    }

    /** The shard is another process's now, or there is no such shard any more. */
    public void forget(ShardKey shard) {
        statuses.remove(shard);
    }

    /** All of them, by shard. */
    public Map<ShardKey, ShardStatus> all() {
        var sorted = new TreeMap<ShardKey, ShardStatus>((a, b) -> a.toString().compareTo(b.toString()));
        sorted.putAll(statuses);
        return sorted;
    }
}
