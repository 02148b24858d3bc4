package io.evenkeel.worker.ledger;

import java.util.ArrayList;
import java.util.List;

/**
 * What one fold gives.
 *
 * @param entry the entry from now on
 * @param effects what to do, in order
 */
public record Step(LedgerEntry entry, List<Effect> effects) {
    /** Takes a copy of the list. */
    public Step {
        effects = List.copyOf(effects);
    }

    Step and(Effect effect) {
        var more = new ArrayList<>(effects);
        more.add(effect);
        return new Step(entry, more);
    }

    static Step of(LedgerEntry entry, Effect... effects) {
        return new Step(entry, List.of(effects));
    }
}
