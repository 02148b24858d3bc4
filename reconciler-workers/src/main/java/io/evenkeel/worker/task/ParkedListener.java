package io.evenkeel.worker.task;

import io.evenkeel.api.record.DeadLetter;
import io.evenkeel.reconciler.Controller;
import java.util.function.BooleanSupplier;

/** Hears of keys that were parked, to tell people. Must not block. */
public interface ParkedListener {
    /**
     * A key was parked; not called again for the same letter after a restart.
     *
     * @param mayWrite whether this process still holds the key's partition; asked right before a write to its object
     */
    void parked(Controller<?> controller, DeadLetter letter, BooleanSupplier mayWrite);
}
