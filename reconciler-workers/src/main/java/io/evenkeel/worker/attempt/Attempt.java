package io.evenkeel.worker.attempt;

import io.evenkeel.api.ControllerKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
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
    private final Writes writes = new Writes();
    private final AtomicBoolean settled = new AtomicBoolean();
    private Optional<Begun> begun = Optional.empty(); // this and the rest: guarded by this
    private @Nullable Thread thread;
    private boolean cancelled;
    private Optional<Expiry> expiry = Optional.empty();

    /**
     * The handler has begun.
     *
     * @param snapshot what it was given
     * @param at when
     */
    record Begun(Snapshot snapshot, Instant at) {}

    /**
     * The handler took too long.
     *
     * @param at when it was interrupted
     * @param stack where it was then
     */
    record Expiry(Instant at, String stack) {}

    /**
     * @param id unique
     * @param key whose work
     * @param partition through which the writes of all attempts of the partition pass
     * @param snapshot what the handler will see, unless a newer one comes before it begins
     */
    public Attempt(String id, ControllerKey key, WriteGate partition, Snapshot snapshot) {
        this.id = id;
        this.key = key;
        this.gate = partition.inner();
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

    /** Interrupts the handler if it has run for longer than that; from now on it cannot write, and has failed. */
    public synchronized void expire(Instant now, Duration timeout) {
        Thread running = thread;
        if (running == null
                || expiry.isPresent()
                || begun.filter(since -> since.at().plus(timeout).isBefore(now)).isEmpty()) {
            return;
        }
        String stack = Arrays.stream(running.getStackTrace())
                .map(frame -> "\tat " + frame)
                .collect(Collectors.joining("\n"));
        expiry = Optional.of(new Expiry(now, stack));
        gate.close("the attempt took longer than its timeout");
        running.interrupt();
    }

    /** Whether the handler still runs although it was interrupted so long ago. */
    public synchronized boolean isAbandonable(Instant now, Duration grace) {
        return thread != null
                && expiry.filter(expired -> expired.at().plus(grace).isBefore(now))
                        .isPresent();
    }

    /** Whoever calls this first says what came of the attempt. */
    public boolean settle() {
        return settled.compareAndSet(false, true);
    }

    /** Completes when the outcome is safe, or will never be. */
    public CompletableFuture<Void> concluded() {
        return concluded;
    }

    /** The handler's thread takes the snapshot, once. */
    synchronized Begun begin(Instant now) {
        Snapshot snapshot = waiting.getAndSet(null);
        if (snapshot == null) {
            throw new IllegalStateException("attempt " + id + " was begun twice");
        }
        thread = Thread.currentThread();
        if (cancelled) {
            thread.interrupt();
        }
        var beginning = new Begun(snapshot, now);
        begun = Optional.of(beginning);
        return beginning;
    }

    synchronized Optional<Begun> begun() {
        return begun;
    }

    synchronized Optional<Expiry> expiry() {
        return expiry;
    }

    /** What it wrote so far. */
    Writes writes() {
        return writes;
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
