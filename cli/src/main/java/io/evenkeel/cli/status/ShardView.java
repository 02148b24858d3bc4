package io.evenkeel.cli.status;

import io.evenkeel.api.record.ShardState;
import io.evenkeel.api.record.WatchStatus;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A shard as its last report shows it at some time.
 *
 * @param report the last report
 * @param stale whether the reports have stopped: what it says is no longer known to be so
 */
record ShardView(WatchStatus report, boolean stale) {
    /** Who needs a person comes first. */
    static final Comparator<ShardView> WORST_FIRST = Comparator.comparing(ShardView::condition)
            .thenComparing(view -> view.report().cluster())
            .thenComparing(view -> view.report().group())
            .thenComparing(view -> view.report().resource());

    /** How a shard is shown, the worst first; spelled as it is typed. */
    enum Condition {
        stale,
        unreachable,
        forbidden,
        syncing,
        gone,
        live;

        static final List<Condition> ALL = List.of(values());
    }

    static ShardView at(Instant now, WatchStatus report) {
        return new ShardView(report, report.isStale(now));
    }

    Condition condition() {
        return stale ? Condition.stale : of(report.state());
    }

    boolean isWell() {
        return !stale && report.state().isWell();
    }

    /** What is wrong, in one sentence. */
    Optional<String> error() {
        return stale
                ? Optional.of("was " + report.state() + "; no report since then from " + report.owner()
                        + ", and no other watcher took over")
                : report.error();
    }

    /** As kubectl names it. */
    String resource() {
        return report.group().isEmpty() ? report.resource() : report.resource() + "." + report.group();
    }

    private static Condition of(ShardState state) {
        return switch (state) {
            case SYNCING -> Condition.syncing;
            case LIVE -> Condition.live;
            case FORBIDDEN -> Condition.forbidden;
            case GONE -> Condition.gone;
            case UNREACHABLE -> Condition.unreachable;
        };
    }
}
