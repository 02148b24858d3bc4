package io.evenkeel.worker.control;

import io.evenkeel.api.ControllerKey;
import io.evenkeel.api.record.Pause;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** What is paused at the moment. Thread-safe; questions are answered from a snapshot. */
public final class Pauses {
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final AtomicLong version = new AtomicLong();
    private volatile List<Pause> wide = List.of();
    private volatile List<Pause> narrow = List.of();

    /** Nothing is paused. */
    public Pauses() {}

    /** Has the listener called, on any thread, when something was paused or resumed. */
    public void onChange(Runnable listener) {
        listeners.add(listener);
    }

    /** Whether all work of a controller on a cluster is paused. */
    public boolean isPaused(String controller, String cluster) {
        List<Pause> now = wide;
        return !now.isEmpty() && now.stream().anyMatch(pause -> pause.covers(controller, cluster));
    }

    /** Whether work for a key is paused. */
    public boolean isPaused(ControllerKey key) {
        return isPaused(key.controller(), key.primary().cluster())
                || narrow.stream().anyMatch(pause -> pause.covers(key));
    }

    /** Whether single objects are paused at all. */
    public boolean concernObjects() {
        return !narrow.isEmpty();
    }

    /** Grows whenever something is paused or resumed. */
    public long version() {
        return version.get();
    }

    /** From now on these hold, by their keys on the topic; absent ones are resumed. */
    public void are(Map<String, Pause> pauses) {
        wide = pauses.values().stream()
                .filter(pause -> pause.object().isEmpty())
                .toList();
        narrow = pauses.values().stream()
                .filter(pause -> pause.object().isPresent())
                .toList();
        version.incrementAndGet();
        listeners.forEach(Runnable::run);
    }
}
