package io.evenkeel.worker.attempt;

import io.evenkeel.api.record.Write;
import java.util.ArrayList;
import java.util.List;

/** What one attempt wrote, in order, with the bodies that came back. Used by one thread at a time. */
final class Writes {
    private final List<Write> records = new ArrayList<>();
    private final List<LocalObject> bodies = new ArrayList<>();
    private boolean refused;

    void add(Write write) {
        records.add(write);
    }

    void add(Write write, LocalObject body) {
        records.add(write);
        bodies.add(body);
    }

    /** A write was not let through. */
    void refuse() {
        refused = true;
    }

    /** Whether a write is missing that the handler meant to make. */
    boolean wereRefused() {
        return refused;
    }

    List<Write> records() {
        return List.copyOf(records);
    }

    List<LocalObject> bodies() {
        return List.copyOf(bodies);
    }
}
