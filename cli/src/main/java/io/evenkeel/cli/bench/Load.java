package io.evenkeel.cli.bench;

import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.process.StartupException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Requests that run beside each other, up to a limit. Closing waits for all and tells of the first that failed. */
final class Load implements AutoCloseable {
    private final ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor();
    private final Semaphore free;
    private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();

    /** @param mostAtOnce requests that run at one time */
    Load(int mostAtOnce) {
        free = new Semaphore(mostAtOnce);
    }

    /** Starts a request, as soon as fewer than the limit are running. */
    void start(Runnable request) throws InterruptedException {
        free.acquire();
        requests.execute(() -> {
            try {
                request.run();
            } catch (RuntimeException e) {
                failure.compareAndSet(null, e);
            } finally {
                free.release();
            }
        });
    }

    /** @throws StartupException if a request failed: what was measured would not be what was meant */
    @Override
    public void close() {
        requests.close();
        RuntimeException first = failure.get();
        if (first != null) {
            throw new StartupException(ExitCode.ERROR, "A request of the measurement failed: " + first, first);
        }
    }
}
