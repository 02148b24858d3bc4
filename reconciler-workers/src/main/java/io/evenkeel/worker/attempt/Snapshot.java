package io.evenkeel.worker.attempt;

import io.evenkeel.api.record.Cause;
import io.evenkeel.worker.ledger.Applied;
import io.evenkeel.worker.ledger.Sighting;
import java.util.List;
import java.util.Set;

/**
 * Everything an attempt may look at, taken from the stores at one moment by the thread that owns them.
 *
 * @param sighting which state of the primary this is
 * @param primary the primary
 * @param secondaries what belongs to it, by key
 * @param stale keys of objects that this controller has written since, whose new state is not at hand: to be read from
 *     the API server before the handler runs
 * @param applied what was last applied to each secondary
 * @param attempt 1 for the first try
 * @param causes why it runs
 */
public record Snapshot(
        Sighting sighting,
        LocalObject primary,
        List<LocalObject> secondaries,
        Set<String> stale,
        List<Applied> applied,
        int attempt,
        List<Cause> causes) {
    /** Takes copies of the lists. */
    public Snapshot {
        secondaries = List.copyOf(secondaries);
        stale = Set.copyOf(stale);
        applied = List.copyOf(applied);
        causes = List.copyOf(causes);
    }
}
