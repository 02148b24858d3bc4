package io.evenkeel.worker.control;

import io.evenkeel.api.ControllerKey;
import io.evenkeel.api.record.Pause;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** What is paused at the moment. Thread-safe; questions are answered from a snapshot. */
public final class Pauses {
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile Map<String, Pause> current = Map.of();
    private volatile List<Pause> wide = List.of();
    private volatile List<Pause> narrow = List.of();

    /** Nothing is paused. */
    public Pauses() {}

    /** Has the listener called, on any thread, when something was paused or resumed. */
    public void onChange(Runnable listener) {
        listeners.add(listener);
    }

    /** Undoes {@link #onChange}. */
    public void forget(Runnable listener) {
        listeners.remove(listener);
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

    /** How many pauses there are. */
    public int count() {
        return current.size();
    }

    /** From now on these hold, by their keys on the topic; absent ones are resumed. */
    public void are(Map<String, Pause> pauses) {
        current = new HashMap<>(pauses);
        wide = pauses.values().stream()
                .filter(pause -> pause.object().isEmpty())
                .toList();
        narrow = pauses.values().stream()
                .filter(pause -> pause.object().isPresent())
                .toList();
        listeners.forEach(Runnable::run);
    }
}
