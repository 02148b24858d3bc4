package io.evenkeel.worker.ledger;

import io.evenkeel.api.record.Cause;
import io.evenkeel.worker.ledger.KeyState.Idle;
import io.evenkeel.worker.ledger.KeyState.Kind;
import io.evenkeel.worker.ledger.KeyState.Parked;
import io.evenkeel.worker.ledger.KeyState.Pending;
import io.evenkeel.worker.ledger.KeyState.Running;
import io.evenkeel.worker.ledger.KeyState.Waiting;
import io.evenkeel.worker.ledger.Primary.Gone;
import io.evenkeel.worker.ledger.Primary.Present;
import io.evenkeel.worker.ledger.Seen.Change;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The state machine of one key: {@code fold(entry, input) → entry + effects}. Pure: times come with the inputs, and the
 * due time of a retry was drawn by the attempt that failed and lies in its outcome, so that the same inputs always give
 * the same ledger.
 */
public final class Fold {
    private static final int MOST_CAUSES = 8;

    /** A failing key that other events wake runs no more often than this. */
    private final Duration minimumInterval;

    private final Conclusion conclusion;

    /** @param minimumInterval least time between a failed attempt and the next one, unless its spec changes */
    public Fold(Duration minimumInterval) {
        this.minimumInterval = minimumInterval;
        this.conclusion = new Conclusion(minimumInterval);
    }

    /** Folds an input that comes from a topic; one that was folded before only repeats the effects of today's state. */
    public Step fold(LedgerEntry entry, Source source, long offset, Input input) {
        if (entry.positions().covers(source, offset)) {
            return new Step(entry, reasserted(entry));
        }
        return fold(entry.at(entry.positions().with(source, offset)), input);
    }

    /** Folds an input of the engine's own. */
    public Step fold(LedgerEntry entry, Input input) {
        return switch (input) {
            case Input.PrimaryChanged changed -> primaryChanged(entry, changed);
            case Input.PrimaryRemoved removed -> primaryRemoved(entry, removed);
            case Input.PrimaryLeft left -> primaryLeft(entry, left);
            case Input.SecondaryChanged changed -> secondaryChanged(entry, changed);
            case Input.SecondaryRemoved removed ->
                happened(entry, new Change(removed.key(), "", Lane.NORMAL, false, removed.cause()));
            case Input.Asked asked -> happened(entry, new Change("", "", asked.lane(), false, asked.cause()));
            case Input.Due due -> due(entry, due);
            case Input.Planned planned -> planned(entry, planned);
            case Input.Redriven redriven -> redriven(entry, redriven);
            case Input.Started started -> started(entry, started);
            case Input.Refreshed refreshed -> refreshed(entry);
            case Input.Finished finished -> conclusion.fold(entry, finished);
        };
    }

    /** The effects that a state implies; they may have been lost in a crash after the state was kept. */
    public static List<Effect> reasserted(LedgerEntry entry) {
        var effects = new ArrayList<Effect>();
        switch (entry.state()) {
            case Waiting waiting -> effects.add(schedule(waiting, entry.failures()));
            case Parked parked -> effects.add(new Effect.Park(parked.reason(), parked.at(), false));
            case Idle idle -> addUnpark(entry, effects);
            case Pending pending -> addUnpark(entry, effects);
            case Running running -> addUnpark(entry, effects);
        }
        return effects;
    }

    private static void addUnpark(LedgerEntry entry, List<Effect> effects) {
        if (entry.letter()) {
            effects.add(new Effect.Unpark());
        }
    }

    private Step primaryChanged(LedgerEntry entry, Input.PrimaryChanged changed) {
        Sighting now = changed.sighting();
        boolean spec = true;
        LedgerEntry base = entry;
        if (entry.primary() instanceof Present(Sighting before) && now.isNoNewerThan(before)) {
            return Step.of(entry);
        }
        Optional<Sighting> known = known(entry.primary());
        if (known.isPresent()) {
            Sighting before = known.get();
            boolean sameLife = now.uid().equals(before.uid()) && now.epoch() == before.epoch();
            spec = !sameLife
                    || now.generation() != before.generation()
                    || now.deleting() != before.deleting()
                    || (now.generation() < 0 && changed.content());
            if (!sameLife) {
                // Nothing that was known of the former life holds for this one.
                base = entry.expecting(List.of()).having(List.of());
            }
        }
        LedgerEntry seen = base.with(new Present(now));
        if (!spec && changed.complete() && seen.awaits(changed.key(), now.resourceVersion())) {
            return Step.of(seen.seeing(changed.key(), now.resourceVersion()));
        }
        if (!changed.wakes() && !now.deleting()) {
            return Step.of(seen.seeing(changed.key(), now.resourceVersion()));
        }
        Lane lane = changed.quiet() && !now.deleting() ? Lane.BACKGROUND : spec ? Lane.URGENT : Lane.NORMAL;
        return happened(
                seen.seeing(changed.key(), now.resourceVersion()),
                new Change(changed.key(), now.resourceVersion(), lane, spec, changed.cause()),
                changed.complete());
    }

    private static Step primaryRemoved(LedgerEntry entry, Input.PrimaryRemoved removed) {
        if (entry.primary() instanceof Present(Sighting sighting)
                && !sighting.uid().equals(removed.uid())) {
            return Step.of(entry); // a former life ended; this one was seen already
        }
        LedgerEntry gone = entry.with(new Gone(removed.uid()))
                .with(Failures.NONE)
                .expecting(List.of())
                .having(List.of());
        return switch (entry.state()) {
            case Idle idle -> forget(gone);
            case Pending pending -> forget(gone);
            case Waiting waiting -> forget(gone);
            case Parked parked -> forget(gone);
            case Running running -> Step.of(gone.to(running.seeing(Seen.NOTHING)));
        };
    }

    private static Optional<Sighting> known(Primary primary) {
        return switch (primary) {
            case Primary.Unseen unseen -> Optional.empty();
            case Present(Sighting sighting) -> Optional.of(sighting);
            case Primary.Left(Sighting last) -> Optional.of(last);
            case Gone gone -> Optional.empty();
        };
    }

    /**
     * What cannot be seen cannot be handled, but it may live on: failures and a dead letter stay, and when it comes back only
     * a new spec makes up for them.
     */
    private static Step primaryLeft(LedgerEntry entry, Input.PrimaryLeft left) {
        if (!(entry.primary() instanceof Present(Sighting last)) || !last.uid().equals(left.uid())) {
            return Step.of(entry); // another life is seen, or none was
        }
        LedgerEntry unseen = entry.with(new Primary.Left(last)).expecting(List.of());
        return switch (entry.state()) {
            case Idle idle -> rest(unseen);
            case Pending pending -> rest(unseen);
            case Waiting waiting -> rest(unseen);
            case Parked parked -> Step.of(unseen);
            case Running running -> Step.of(unseen.to(running.seeing(Seen.NOTHING)));
        };
    }

    /** Until the primary is seen again; what is worth nothing is forgotten. */
    static Step rest(LedgerEntry unseen) {
        LedgerEntry idle = unseen.to(new Idle());
        return unseen.failures().count() == 0 && !unseen.letter() ? Step.of(idle, new Effect.Forget()) : Step.of(idle);
    }

    static Step forget(LedgerEntry gone) {
        boolean letter = gone.letter();
        LedgerEntry idle = gone.to(new Idle()).lettered(false);
        return letter ? Step.of(idle, new Effect.Unpark(), new Effect.Forget()) : Step.of(idle, new Effect.Forget());
    }

    private Step secondaryChanged(LedgerEntry entry, Input.SecondaryChanged changed) {
        boolean own = changed.complete() && entry.awaits(changed.key(), changed.resourceVersion());
        LedgerEntry known = entry.seeing(changed.key(), changed.resourceVersion());
        if (own || !changed.wakes()) {
            return Step.of(known);
        }
        Lane lane = changed.quiet() ? Lane.BACKGROUND : Lane.NORMAL;
        return happened(
                known,
                new Change(changed.key(), changed.resourceVersion(), lane, false, changed.cause()),
                changed.complete());
    }

    private Step happened(LedgerEntry entry, Change change) {
        return happened(entry, change, true);
    }

    /**
     * A reason to reconcile meets the state.
     *
     * @param complete whether nothing can be hidden behind the change, should it turn out to be an own write
     */
    private Step happened(LedgerEntry entry, Change change, boolean complete) {
        if (!(entry.primary() instanceof Present)) {
            return Step.of(entry); // when the primary comes, it is handled anyway
        }
        return switch (entry.state()) {
            case Idle idle -> change.spec() ? anew(entry, change) : pend(entry, change.lane(), List.of(change.cause()));
            case Pending pending -> more(entry, pending, change);
            case Running running ->
                Step.of(entry.to(running.seeing(
                        complete
                                ? running.seen().with(change)
                                : running.seen().with(change).flooding())));
            case Waiting waiting -> change.spec() ? anew(entry, change) : wake(entry, waiting, change);
            case Parked parked -> change.spec() ? anew(entry, change) : Step.of(entry);
        };
    }

    private static Step more(LedgerEntry entry, Pending pending, Change change) {
        Lane lane = pending.lane().or(change.lane());
        LedgerEntry next = entry.to(new Pending(lane, joined(pending.causes(), List.of(change.cause()))));
        LedgerEntry counted = change.spec() ? next.with(Failures.NONE) : next;
        return lane == pending.lane() ? Step.of(counted) : Step.of(counted, new Effect.Enqueue(lane));
    }

    /** A new spec deserves all its attempts. */
    private static Step anew(LedgerEntry entry, Change change) {
        Step step = pend(entry.with(Failures.NONE), change.lane(), List.of(change.cause()));
        return withUnpark(step);
    }

    static Step withUnpark(Step step) {
        return step.entry().letter() ? step.and(new Effect.Unpark()) : step;
    }

    /** Another event wakes a failing key, but not at once: an event that its own attempt causes must not heat a loop. */
    private Step wake(LedgerEntry entry, Waiting waiting, Change change) {
        if (waiting.kind() != Kind.RETRY) {
            return pend(entry, change.lane(), List.of(change.cause()));
        }
        Instant earliest = waiting.since().plus(minimumInterval);
        if (!change.cause().at().isBefore(earliest)) {
            return pend(entry, change.lane(), List.of(change.cause()));
        }
        if (!earliest.isBefore(waiting.due())) {
            return Step.of(entry);
        }
        var sooner = new Waiting(Kind.RETRY, earliest, waiting.since(), waiting.why());
        return Step.of(entry.to(sooner), schedule(sooner, entry.failures()));
    }

    private static Step due(LedgerEntry entry, Input.Due due) {
        if (entry.state() instanceof Waiting waiting
                && waiting.kind() == due.kind()
                && !due.due().isBefore(waiting.due())) {
            Lane lane = due.kind() == Kind.RESYNC ? Lane.BACKGROUND : Lane.RETRY;
            return pend(entry, lane, List.of(due.cause()));
        }
        return Step.of(entry); // superseded
    }

    private static Step planned(LedgerEntry entry, Input.Planned planned) {
        if (entry.state() instanceof Idle && entry.primary() instanceof Present) {
            var waiting = new Waiting(Kind.RESYNC, planned.due(), planned.now(), "");
            return Step.of(entry.to(waiting), schedule(waiting, entry.failures()));
        }
        return Step.of(entry);
    }

    private static Step redriven(LedgerEntry entry, Input.Redriven redriven) {
        if (!(entry.primary() instanceof Present)) {
            return new Step(entry, reasserted(entry)); // there is nothing to handle; a letter stays
        }
        return switch (entry.state()) {
            case Parked parked -> withUnpark(pend(entry.with(Failures.NONE), Lane.NORMAL, List.of(redriven.cause())));
            case Waiting waiting -> pend(entry.with(Failures.NONE), Lane.NORMAL, List.of(redriven.cause()));
            // Not parked: a letter that is still there is a leftover.
            case Idle idle -> new Step(entry, reasserted(entry));
            case Pending pending -> new Step(entry, reasserted(entry));
            case Running running -> new Step(entry, reasserted(entry));
        };
    }

    private static Step started(LedgerEntry entry, Input.Started started) {
        if (entry.state() instanceof Pending pending && entry.primary() instanceof Present(Sighting sighting)) {
            return Step.of(entry.expecting(started.unseen())
                    .to(new Running(started.attemptId(), sighting, started.now(), pending.causes(), Seen.NOTHING)));
        }
        return Step.of(entry);
    }

    private static Step refreshed(LedgerEntry entry) {
        if (entry.state() instanceof Running running && entry.primary() instanceof Present(Sighting sighting)) {
            LedgerEntry counted = running.seen().hasSpecChange() ? entry.with(Failures.NONE) : entry;
            return Step.of(counted.to(new Running(
                    running.attemptId(),
                    sighting,
                    running.startedAt(),
                    joined(running.causes(), running.seen().causes()),
                    Seen.NOTHING)));
        }
        return Step.of(entry);
    }

    static Step pend(LedgerEntry entry, Lane lane, List<Cause> causes) {
        return Step.of(entry.to(new Pending(lane, bounded(causes))), new Effect.Enqueue(lane));
    }

    static Effect.Schedule schedule(Waiting waiting, Failures failures) {
        int attempt = waiting.kind() == Kind.RETRY ? failures.count() : 0;
        return new Effect.Schedule(waiting.kind(), attempt, waiting.due(), waiting.why());
    }

    static List<Cause> joined(List<Cause> first, List<Cause> second) {
        var all = new ArrayList<>(first);
        all.addAll(second);
        return bounded(all);
    }

    private static List<Cause> bounded(List<Cause> causes) {
        return causes.size() <= MOST_CAUSES ? causes : causes.subList(0, MOST_CAUSES);
    }
}
