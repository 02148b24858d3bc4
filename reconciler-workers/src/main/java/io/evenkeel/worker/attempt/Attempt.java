package io.evenkeel.worker.attempt;

import io.evenkeel.api.ControllerKey;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One attempt on its way: made by the thread that owns the stores, run by a virtual thread. Until the handler begins,
 * its snapshot may be replaced by a newer one. Thread-safe.
 */
public final class Attempt {
    private final String id;
    private final ControllerKey key;
    private final WriteGate gate;
    private final AtomicReference<@Nullable Snapshot> waiting;
    private final CompletableFuture<Void> concluded = new CompletableFuture<>();
    private @Nullable Thread thread;
    private boolean cancelled;

    /**
     * @param id unique
     * @param key whose work
     * @param gate through which its writes pass
     * @param snapshot what the handler will see, unless a newer one comes before it begins
     */
    public Attempt(String id, ControllerKey key, WriteGate gate, Snapshot snapshot) {
        this.id = id;
        this.key = key;
        this.gate = gate;
        this.waiting = new AtomicReference<>(snapshot);
    }

    /** Its unique id. */
    public String id() {
        return id;
    }

    /** Whose work it is. */
    public ControllerKey key() {
        return key;
    }

    /** Through which its writes pass. */
    public WriteGate gate() {
        return gate;
    }

    /** Gives the handler a newer snapshot; false if it has begun. Only the owner of the stores calls this. */
    public boolean refresh(Snapshot newer) {
        Snapshot current = waiting.get();
        return current != null && waiting.compareAndSet(current, newer);
    }

    /** Whether {@link #refresh} can still succeed. */
    public boolean isWaiting() {
        return waiting.get() != null;
    }

    /** Interrupts the handler; what it then returns counts as interrupted. */
    public synchronized void cancel() {
        cancelled = true;
        if (thread != null) {
            thread.interrupt();
        }
    }

    /** Completes when the outcome is safe, or will never be. */
    public CompletableFuture<Void> concluded() {
        return concluded;
    }

    /** The handler's thread takes the snapshot, once. */
    synchronized Snapshot begin() {
        Snapshot snapshot = waiting.getAndSet(null);
        if (snapshot == null) {
            throw new IllegalStateException("attempt " + id + " was begun twice");
        }
        thread = Thread.currentThread();
        if (cancelled) {
            thread.interrupt();
        }
        return snapshot;
    }

    /** The handler has returned: no interrupt from now on. */
    synchronized void end() {
        thread = null;
        Thread.interrupted();
    }

    synchronized boolean isCancelled() {
        return cancelled;
    }
}
