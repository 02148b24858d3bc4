package io.evenkeel.worker.dispatch;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many attempts one process runs at one time, over all its controllers. Whoever was refused hears when there is room
 * again; controllers hear of it in turn. Thread-safe.
 */
public final class Total {
    private final AtomicInteger free;
    private final AtomicInteger turn = new AtomicInteger();
    private final List<Runnable> refused = new CopyOnWriteArrayList<>();
    private volatile boolean exhausted;

    /** @param limit most attempts at one time, 1 or more */
    public Total(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be 1 or more but is " + limit);
        }
        this.free = new AtomicInteger(limit);
    }

    /** Has the listener called, on any thread, when there may be room again. */
    void onRoom(Runnable listener) {
        refused.add(listener);
    }

    boolean take() {
        if (free.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            return true;
        }
        exhausted = true;
        // Whoever gave back between the two lines above did not see that somebody waits.
        if (free.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            return true;
        }
        return false;
    }

    void give() {
        free.incrementAndGet();
        if (!exhausted) {
            return;
        }
        exhausted = false;
        int count = refused.size();
        int first = Math.floorMod(turn.getAndIncrement(), Math.max(1, count));
        for (int i = 0; i < count; i++) {
            refused.get((first + i) % count).run();
        }
    }
}
