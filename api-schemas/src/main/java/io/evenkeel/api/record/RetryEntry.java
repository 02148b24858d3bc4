package io.evenkeel.api.record;

import io.evenkeel.api.ControllerKey;
import java.time.Instant;

/**
 * Work that waits for its time, on {@code retry-<tier>}. The due time decides when it runs, not the tier.
 *
 * @param controller name of the controller
 * @param primary text of the primary's {@link io.evenkeel.api.ObjectKey}
 * @param kind what it waits for
 * @param attempt failed attempts so far, 0 if none did
 * @param due when to run
 * @param why the error or the reason, for people
 */
public record RetryEntry(String controller, String primary, Kind kind, int attempt, Instant due, String why) {
    /** What waits. */
    public enum Kind {
        /** A failed attempt is tried again. */
        RETRY,
        /** The reconciler asked to be called again. */
        REQUEUE,
        /** The controller's timetable. */
        RESYNC
    }

    /** The key under which the entry lies on its topic. */
    public ControllerKey key() {
        return ControllerKey.parse(controller + "/" + primary);
    }
}
