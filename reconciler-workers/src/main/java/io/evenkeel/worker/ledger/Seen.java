package io.evenkeel.worker.ledger;

import io.evenkeel.api.record.Cause;
import io.evenkeel.api.record.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * What changed while an attempt ran. Each change is kept with its version, because the event of the attempt's own write
 * may come before the outcome that says so.
 *
 * @param changes at most {@value #MOST}; a flood beyond that is not the attempt's own and is kept as {@code flooded}
 * @param flooded whether more came, or a change behind which others may be hidden
 */
public record Seen(List<Change> changes, boolean flooded) {
    /** Nothing changed. */
    public static final Seen NOTHING = new Seen(List.of(), false);

    private static final int MOST = 32;

    /** Takes a copy of the list. */
    public Seen {
        changes = List.copyOf(changes);
    }

    /**
     * One change.
     *
     * @param key text of the object's key; empty for a reason that is no object's change
     * @param resourceVersion its version; empty for a deletion or another reason, which never matches a write
     * @param lane how urgent it is
     * @param spec whether the primary's spec, life or deletion changed
     * @param cause why to reconcile
     */
    public record Change(String key, String resourceVersion, Lane lane, boolean spec, Cause cause) {
        boolean isBy(List<Write> writes) {
            return !spec
                    && !resourceVersion.isEmpty()
                    && writes.stream()
                            .anyMatch(write -> write.key().equals(key)
                                    && write.resourceVersion()
                                            .filter(resourceVersion::equals)
                                            .isPresent());
        }
    }

    Seen with(Change change) {
        if (changes.size() < MOST) {
            var more = new ArrayList<>(changes);
            more.add(change);
            return new Seen(more, flooded);
        }
        // A changed spec must not drown in a flood of secondaries: it takes the place of the newest other change.
        if (change.spec()) {
            var replaced = new ArrayList<>(changes.subList(0, MOST - 1));
            replaced.add(change);
            return new Seen(replaced, true);
        }
        return new Seen(changes, true);
    }

    /** As after a change that does not tell all that happened: no own write explains it. */
    Seen flooding() {
        return new Seen(changes, true);
    }

    Seen withoutWritesOf(List<Write> writes) {
        return new Seen(
                changes.stream()
                        .filter(Predicate.not(change -> change.isBy(writes)))
                        .toList(),
                flooded);
    }

    boolean isNothing() {
        return changes.isEmpty() && !flooded;
    }

    boolean hasSpecChange() {
        return changes.stream().anyMatch(Change::spec);
    }

    Lane lane() {
        return changes.stream().map(Change::lane).reduce(Lane::or).orElse(Lane.NORMAL);
    }

    List<Cause> causes() {
        return changes.stream().map(Change::cause).toList();
    }
}
