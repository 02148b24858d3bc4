package io.evenkeel.sandbox.fault;

import io.evenkeel.sandbox.fault.front.Front;
import io.evenkeel.sandbox.fault.rule.Fault;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Darkens the front, and lights it again when its time is up. Thread-safe. */
final class Blackouts implements AutoCloseable {
    /** A thread of its own: going dark breaks the very requests that ask for it. */
    private final ExecutorService thread = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("fault-proxy-blackout").factory());

    private final Front front;
    private long begun;

    Blackouts(Front front) {
        this.front = front;
    }

    /** Returns when it is dark. */
    void begin(Fault.Blackout blackout) {
        run(() -> {
            begun++;
            front.darken(blackout.darkness());
            blackout.lasting().ifPresent(lasting -> endAfter(lasting, begun));
        });
    }

    private void endAfter(Duration lasting, long which) {
        CompletableFuture.delayedExecutor(lasting.toMillis(), TimeUnit.MILLISECONDS, thread)
                .execute(() -> {
                    if (begun == which) { // unless another one has begun since
                        front.lighten();
                    }
                });
    }

    /** Returns when the server can be reached. */
    void end() {
        run(() -> {
            begun++;
            front.lighten();
        });
    }

    private void run(Runnable change) {
        try {
            thread.submit(change).get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // it goes dark nonetheless
        } catch (ExecutionException e) {
            throw new IllegalStateException("the fault proxy could not go dark or come back", e.getCause());
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
