package io.evenkeel.worker.task;

import io.evenkeel.api.record.DeadLetter;
import io.evenkeel.reconciler.Controller;

/** Hears of keys that were parked, to tell people. Must not block. */
public interface ParkedListener {
    /** A key was parked; not called again for the same letter after a restart. */
    void parked(Controller<?> controller, DeadLetter letter);
}
