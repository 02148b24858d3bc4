package io.evenkeel.worker.attempt;

import io.evenkeel.api.record.AttemptOutcome;
import java.util.List;

/**
 * What came of an attempt.
 *
 * @param outcome for the topic
 * @param behind whether it met a newer primary than it was given
 * @param written what it wrote, as the API server answered
 */
public record AttemptResult(AttemptOutcome outcome, boolean behind, List<LocalObject> written) {
    /** Takes a copy of the list. */
    public AttemptResult {
        written = List.copyOf(written);
    }
}
