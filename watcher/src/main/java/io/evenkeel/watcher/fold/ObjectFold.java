package io.evenkeel.watcher.fold;

import io.evenkeel.api.record.ChangeType;
import io.evenkeel.api.record.Origin;
import java.util.List;

/**
 * Decides which events a sighting is worth. A watch that resumes shows again what the log already holds, and a server may
 * lag behind what another one showed: so whatever is not later than what is known leads to nothing.
 */
public final class ObjectFold {
    private ObjectFold() {}

    /**
     * @param state what is known
     * @param sighting what was shown
     * @return the state afterwards, and the events that lead to it, in order
     */
    public static Step fold(ObjectState state, Sighting sighting) {
        return switch (state) {
            case ObjectState.Unknown unknown -> ofUnknown(unknown, sighting);
            case ObjectState.Known known -> ofKnown(known, sighting);
        };
    }

    private static Step ofUnknown(ObjectState.Unknown unknown, Sighting sighting) {
        return switch (sighting) {
            case Sighting.Listed listed -> born(listed.life(), listed.first() ? Origin.LIST : Origin.RELIST);
            // A late one that is unknown was deleted since: a server that lags must not raise the dead.
            case Sighting.Upserted upserted ->
                upserted.late() ? Step.nothing(unknown) : born(upserted.life(), Origin.WATCH);
            // Its deletion is on the log already, or its life began and ended where nobody looked.
            case Sighting.Deleted deleted -> Step.nothing(unknown);
            case Sighting.Missing missing -> Step.nothing(unknown);
        };
    }

    private static Step ofKnown(ObjectState.Known known, Sighting sighting) {
        return switch (sighting) {
            case Sighting.Listed listed -> changed(known.life(), listed.life(), Origin.RELIST);
            case Sighting.Upserted upserted -> changed(known.life(), upserted.life(), Origin.WATCH);
            case Sighting.Deleted deleted -> deleted(known.life(), deleted.life());
            case Sighting.Missing missing ->
                new Step(
                        new ObjectState.Unknown(),
                        List.of(inferredDeletion(known.life(), missing.epoch(), Origin.RELIST)));
        };
    }

    private static Step born(Life life, Origin origin) {
        return new Step(new ObjectState.Known(life), List.of(birth(life, origin)));
    }

    private static Step changed(Life known, Life life, Origin origin) {
        if (life.sameState(known)) {
            // In a new epoch the index must say so, or the next version of this epoch would be taken for an older one.
            return Step.nothing(new ObjectState.Known(life.epoch() > known.epoch() ? life : known));
        }
        if (!life.isAfter(known)) {
            return Step.nothing(new ObjectState.Known(known));
        }
        if (life.sameLife(known)) {
            List<String> sections = life.hashes().changedSince(known.hashes());
            return new Step(
                    new ObjectState.Known(life),
                    List.of(new Emission(ChangeType.MODIFIED, origin, life, sections, true)));
        }
        return new Step(
                new ObjectState.Known(life),
                List.of(inferredDeletion(known, life.epoch(), origin), birth(life, origin)));
    }

    private static Step deleted(Life known, Life last) {
        if (last.sameLife(known)) {
            // Not older is enough: servers exist that show a deletion under the version of the last change.
            return known.isAfter(last)
                    ? Step.nothing(new ObjectState.Known(known))
                    : new Step(
                            new ObjectState.Unknown(),
                            List.of(new Emission(ChangeType.DELETED, Origin.WATCH, last, List.of(), true)));
        }
        // A later life under this name has ended, so the known one has too, unseen.
        return last.isAfter(known)
                ? new Step(new ObjectState.Unknown(), List.of(inferredDeletion(known, last.epoch(), Origin.WATCH)))
                : Step.nothing(new ObjectState.Known(known));
    }

    private static Emission birth(Life life, Origin origin) {
        return new Emission(ChangeType.ADDED, origin, life, life.hashes().present(), true);
    }

    private static Emission inferredDeletion(Life known, long epoch, Origin origin) {
        var last = new Life(epoch, known.uid(), known.resourceVersion(), known.generation(), known.hashes());
        return new Emission(ChangeType.DELETED, origin, last, List.of(), false);
    }

    /**
     * What a sighting leads to.
     *
     * @param state afterwards
     * @param emissions in order
     */
    public record Step(ObjectState state, List<Emission> emissions) {
        static Step nothing(ObjectState state) {
            return new Step(state, List.of());
        }
    }
}
