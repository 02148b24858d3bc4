package io.evenkeel.api.record;

import java.time.Instant;
import java.util.Optional;

/**
 * Marks on {@code events} that a shard's history has a hole: what happened between two positions could not be seen, only
 * its result. Its key is the {@link io.evenkeel.api.ShardKey}, its CloudEvents type {@value #CLOUD_EVENT_TYPE}. There is
 * one marker per gap, on the partition that the shard key hashes to; the events after the gap have origin RELIST.
 *
 * @param cluster id of the cluster
 * @param epoch epoch after the gap
 * @param group API group, empty for the core group
 * @param resource plural resource name
 * @param after last resourceVersion that was seen before the gap; absent if the epoch is new
 * @param until resourceVersion of the list that closed the gap
 * @param reason such as {@code 410 Expired}
 * @param selection what the list saw, if not everything
 * @param observedAt by the watcher's clock
 */
public record Gap(
        String cluster,
        long epoch,
        String group,
        String resource,
        Optional<String> after,
        String until,
        String reason,
        Optional<Selection> selection,
        Instant observedAt) {
    /** CloudEvents type of a gap marker. */
    public static final String CLOUD_EVENT_TYPE = "io.evenkeel.shard.gap";

    /** Deterministic id of the marker. */
    public String id() {
        return cluster + ":" + epoch + ":" + (group.isEmpty() ? "core" : group) + "/" + resource + ":"
                + after.orElse("-") + "-" + until + ":GAP";
    }
}
