package io.evenkeel.api.record;

import io.evenkeel.api.ShardKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How a shard fares, on {@code watch-status} under its {@link ShardKey}: written by the process that owns the shard when the
 * state changes, and again and again as a sign of life. A tombstone says that the shard is not configured any more. All times
 * are by the owner's clock.
 *
 * @param cluster id of the cluster
 * @param group API group, empty for the core group
 * @param resource plural resource name
 * @param state how it fares
 * @param since when that state began
 * @param lagMillis how long the oldest change that was read has been waiting to be on the log; 0 if none waits
 * @param lastEventAt when the newest change was read that went to the log; absent if the owner has seen none
 * @param currentAt last proof that nothing is missing: a change, a bookmark, the end of a list, or a probe; absent if there
 *     was none yet
 * @param error what is wrong and what to do, for people; absent if nothing is
 * @param owner id of the process that watches it
 * @param reportedAt when this was written
 * @param reportMillis the next record comes within that time, as long as the owner lives
 */
public record WatchStatus(
        String cluster,
        String group,
        String resource,
        ShardState state,
        Instant since,
        long lagMillis,
        Optional<Instant> lastEventAt,
        Optional<Instant> currentAt,
        Optional<String> error,
        String owner,
        Instant reportedAt,
        long reportMillis) {
    private static final int MISSED_REPORTS = 3;

    /** The key under which it lies on its topic. */
    public ShardKey key() {
        return new ShardKey(cluster, group, resource);
    }

    /** Whether three reports in a row are missing by now: whoever wrote this no longer watches, and nobody else does. */
    public boolean isStale(Instant now) {
        return reportedAt
                .plus(Duration.ofMillis(reportMillis).multipliedBy(MISSED_REPORTS))
                .isBefore(now);
    }
}
