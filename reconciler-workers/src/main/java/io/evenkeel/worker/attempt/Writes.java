package io.evenkeel.worker.attempt;

import io.evenkeel.api.record.Write;
import java.util.ArrayList;
import java.util.List;

/** What one attempt wrote, in order, with the bodies that came back. Thread-safe. */
final class Writes {
    private final List<Write> records = new ArrayList<>();
    private final List<LocalObject> bodies = new ArrayList<>();
    private boolean refused;

    synchronized void add(Write write) {
        records.add(write);
    }

    synchronized void add(Write write, LocalObject body) {
        records.add(write);
        bodies.add(body);
    }

    /** A write was not let through. */
    synchronized void refuse() {
        refused = true;
    }

    /** Whether a write is missing that the handler meant to make. */
    synchronized boolean wereRefused() {
        return refused;
    }

    synchronized List<Write> records() {
        return List.copyOf(records);
    }

    synchronized List<LocalObject> bodies() {
        return List.copyOf(bodies);
    }
}
