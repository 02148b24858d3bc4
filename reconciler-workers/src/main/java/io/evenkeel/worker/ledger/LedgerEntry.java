package io.evenkeel.worker.ledger;

import java.util.List;

/**
 * Everything durable that the engine knows of the work of one controller for one primary, apart from the objects.
 *
 * @param primary what is known of the primary
 * @param positions up to where the topics were folded
 * @param state where the work stands
 * @param failures failed attempts in a row
 * @param ownWrites writes of finished attempts whose events are still to come, at most {@value #MOST_OWN_WRITES}
 * @param applied what was last applied to each secondary, at most {@value #MOST_APPLIED}
 * @param letter whether {@code dead-letters} may hold a letter of this key
 */
public record LedgerEntry(
        Primary primary,
        Positions positions,
        KeyState state,
        Failures failures,
        List<OwnWrite> ownWrites,
        List<Applied> applied,
        boolean letter) {
    /** Most writes that are waited for. */
    public static final int MOST_OWN_WRITES = 64;

    /** Most secondaries whose intent is remembered. */
    public static final int MOST_APPLIED = 256;

    /** A key that was never heard of. */
    public static final LedgerEntry NEW = new LedgerEntry(
            new Primary.Unseen(), Positions.NONE, new KeyState.Idle(), Failures.NONE, List.of(), List.of(), false);

    /** Takes copies of the lists. */
    public LedgerEntry {
        ownWrites = List.copyOf(ownWrites);
        applied = List.copyOf(applied);
    }

    /** This entry with another view of the primary. */
    public LedgerEntry with(Primary newer) {
        return new LedgerEntry(newer, positions, state, failures, ownWrites, applied, letter);
    }

    /** This entry, folded further. */
    public LedgerEntry at(Positions further) {
        return new LedgerEntry(primary, further, state, failures, ownWrites, applied, letter);
    }

    LedgerEntry to(KeyState next) {
        return new LedgerEntry(primary, positions, next, failures, ownWrites, applied, letter);
    }

    LedgerEntry with(Failures newer) {
        return new LedgerEntry(primary, positions, state, newer, ownWrites, applied, letter);
    }

    LedgerEntry expecting(List<OwnWrite> writes) {
        int from = Math.max(0, writes.size() - MOST_OWN_WRITES);
        return new LedgerEntry(
                primary, positions, state, failures, writes.subList(from, writes.size()), applied, letter);
    }

    LedgerEntry having(List<Applied> intents) {
        int from = Math.max(0, intents.size() - MOST_APPLIED);
        return new LedgerEntry(
                primary, positions, state, failures, ownWrites, intents.subList(from, intents.size()), letter);
    }

    LedgerEntry lettered(boolean mayHaveLetter) {
        return new LedgerEntry(primary, positions, state, failures, ownWrites, applied, mayHaveLetter);
    }

    /** Whether that version of that object is an own write whose event is still to come. */
    boolean awaits(String key, String resourceVersion) {
        return !ownWrites.isEmpty() && ownWrites.contains(new OwnWrite(key, resourceVersion));
    }

    /** Writes up to the version that was seen need no longer be waited for. */
    LedgerEntry seeing(String key, String resourceVersion) {
        if (ownWrites.isEmpty()) {
            return this;
        }
        List<OwnWrite> later = ownWrites.stream()
                .filter(write -> !write.key().equals(key) || Versions.isAfter(write.resourceVersion(), resourceVersion))
                .toList();
        return later.size() == ownWrites.size() ? this : expecting(later);
    }
}
