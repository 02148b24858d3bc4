package io.evenkeel.sandbox.fault.frame;

import io.evenkeel.sandbox.fault.rule.Chance;
import io.evenkeel.sandbox.fault.rule.Trigger;

/** Counts the frames of one watch and chooses some of them. Not thread-safe. */
final class FrameChoice {
    private final Trigger which;
    private final Chance watch;
    private long seen;
    private long hits;

    FrameChoice(Trigger which, Chance watch) {
        this.which = which;
        this.watch = watch;
    }

    /** Whether the next frame is hit. */
    boolean next() {
        seen++;
        boolean hit = which.hits(seen, hits, chance());
        hits += hit ? 1 : 0;
        return hit;
    }

    /** Counts a frame that can't be hit. */
    void pass() {
        seen++;
    }

    /** The chance of the frame that was counted last. */
    Chance chance() {
        return watch.of(seen);
    }
}
