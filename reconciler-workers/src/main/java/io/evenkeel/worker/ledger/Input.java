package io.evenkeel.worker.ledger;

import io.evenkeel.api.record.AttemptOutcome;
import io.evenkeel.api.record.Cause;
import java.time.Instant;
import java.util.List;

/** What can happen to an entry; exactly one of these. */
public sealed interface Input {
    /**
     * The primary appeared or changed.
     *
     * @param key text of its key
     * @param sighting its state
     * @param content whether its spec or data changed, for kinds without a generation
     * @param quiet whether nobody waits for it: first list, or backlog of a worker that is new
     * @param complete whether no change before it can be hidden behind it, so that an own write explains it in full
     * @param wakes whether it passes the controller's filter
     * @param cause why to reconcile
     */
    record PrimaryChanged(
            String key, Sighting sighting, boolean content, boolean quiet, boolean complete, boolean wakes, Cause cause)
            implements Input {}

    /**
     * The primary is gone.
     *
     * @param uid the life that ended
     */
    record PrimaryRemoved(String uid) implements Input {}

    /**
     * The primary left the watcher's selection, or was deleted and nobody can tell.
     *
     * @param uid the life that is no longer seen
     */
    record PrimaryLeft(String uid) implements Input {}

    /**
     * A secondary appeared or changed.
     *
     * @param key text of its key
     * @param resourceVersion its version
     * @param quiet as of {@link PrimaryChanged}
     * @param complete as of {@link PrimaryChanged}
     * @param wakes as of {@link PrimaryChanged}
     * @param cause why to reconcile
     */
    record SecondaryChanged(
            String key, String resourceVersion, boolean quiet, boolean complete, boolean wakes, Cause cause)
            implements Input {}

    /**
     * A secondary was deleted or left.
     *
     * @param key text of its key
     * @param cause why to reconcile
     */
    record SecondaryRemoved(String key, Cause cause) implements Input {}

    /**
     * The time of a waiting key has come.
     *
     * @param kind what it waits for
     * @param due the time that was planned
     * @param cause why to reconcile
     */
    record Due(KeyState.Kind kind, Instant due, Cause cause) implements Input {}

    /**
     * The controller's timetable has a time for a key that waits for none.
     *
     * @param due the time
     * @param now by the worker's clock
     */
    record Planned(Instant due, Instant now) implements Input {}

    /**
     * A person sends a parked key back to work.
     *
     * @param cause why to reconcile
     */
    record Redriven(Cause cause) implements Input {}

    /**
     * The audit or a person asks for a run.
     *
     * @param lane how urgent
     * @param cause why to reconcile
     */
    record Asked(Lane lane, Cause cause) implements Input {}

    /**
     * A permit is free and an attempt takes the key.
     *
     * @param attemptId the attempt
     * @param now by the worker's clock
     * @param unseen own writes that the local stores do not show yet
     */
    record Started(String attemptId, Instant now, List<OwnWrite> unseen) implements Input {
        /** Takes a copy of the list. */
        public Started {
            unseen = List.copyOf(unseen);
        }
    }

    /** The attempt has been given the newest state before its handler began. */
    record Refreshed() implements Input {}

    /**
     * An attempt came to its end.
     *
     * @param outcome what it decided
     * @param behind whether it met a newer primary than it was given
     */
    record Finished(AttemptOutcome outcome, boolean behind) implements Input {}
}
