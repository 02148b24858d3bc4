package io.evenkeel.runtime.process;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The life of a process made of parts: parts are added in the order in which they start, the process waits until it is
 * told to stop or a part fails, and then stops the parts in the opposite order within a time limit. Thread-safe.
 */
public final class ProcessLife implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ProcessLife.class);

    private final Duration stopLimit;
    private final Deque<Part> parts = new ArrayDeque<>(); // guarded by this
    private final CountDownLatch toldToStop = new CountDownLatch(1);
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final List<String> late = new ArrayList<>(); // guarded by this
    private ExitCode exitCode = ExitCode.OK; // guarded by this
    private boolean closing; // guarded by this
    private Runnable lastWords = () -> {}; // guarded by this

    private record Part(String name, AutoCloseable closeable) {}

    /** @param stopLimit how long stopping all parts may take together */
    public ProcessLife(Duration stopLimit) {
        this.stopLimit = stopLimit;
    }

    /** Takes a started part into care: it is closed before all parts that were added earlier. */
    public synchronized <P extends AutoCloseable> P add(String name, P part) {
        if (closing) {
            // The stop signal came while this part was starting.
            parts.push(new Part(name, part));
            throw new StartupException(ExitCode.OK, "stopped while " + name + " was starting");
        }
        parts.push(new Part(name, part));
        return part;
    }

    /** Ends the process because a part can't go on; only the first failure counts. Returns at once. */
    public void fail(String part, Throwable cause) {
        synchronized (this) {
            if (toldToStop.getCount() == 0) {
                return;
            }
            exitCode = ExitCode.ERROR;
        }
        log.atError().addKeyValue("part", part).setCause(cause).log("part failed, the process stops");
        toldToStop.countDown();
    }

    /** Asks the process to stop. Returns at once. */
    public void stop() {
        toldToStop.countDown();
    }

    /**
     * Makes SIGINT and SIGTERM stop this process in order: the JVM's end waits for the parts, and the exit code is ours
     * instead of 128 + signal.
     */
    public void stopOnSignal() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::stopAndHalt, "stop"));
    }

    /**
     * What is still to be said when all parts have stopped. It runs before a signal's halt, which whoever waits in
     * {@link #await} may not live to see.
     */
    public synchronized void lastly(Runnable words) {
        lastWords = words;
    }

    /** Waits until the process is told to stop, stops its parts and says how it ended. */
    public ExitCode await() throws InterruptedException {
        toldToStop.await();
        close();
        return ended();
    }

    /** Parts that were still stopping when the limit was over. */
    public synchronized List<String> late() {
        return List.copyOf(late);
    }

    /** Stops all parts, newest first; each gets what is left of the limit. Idempotent; a second caller waits. */
    @Override
    public void close() {
        toldToStop.countDown();
        if (!begin()) {
            awaitStopped();
            return;
        }
        long deadline = System.nanoTime() + stopLimit.toNanos();
        for (Part part = next(); part != null; part = next()) {
            stop(part, Math.max(deadline - System.nanoTime(), TimeUnit.MILLISECONDS.toNanos(50)));
        }
        lastWords().run();
        stopped.countDown();
    }

    private synchronized Runnable lastWords() {
        return lastWords;
    }

    private synchronized boolean begin() {
        boolean first = !closing;
        closing = true;
        return first;
    }

    private synchronized @org.jspecify.annotations.Nullable Part next() {
        return parts.poll();
    }

    private void stop(Part part, long nanos) {
        var task = new FutureTask<>(() -> {
            part.closeable.close();
            return part;
        });
        // A daemon, so that a part which never stops can't keep the process alive.
        Thread.ofPlatform().daemon().name("stop-" + part.name).start(task);
        try {
            task.get(nanos, TimeUnit.NANOSECONDS);
            log.atDebug().addKeyValue("part", part.name).log("part stopped");
        } catch (TimeoutException e) {
            synchronized (this) {
                late.add(part.name);
            }
            log.atWarn().addKeyValue("part", part.name).log("part did not stop in time");
        } catch (ExecutionException e) {
            log.atWarn().addKeyValue("part", part.name).setCause(e.getCause()).log("part failed to stop");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized ExitCode ended() {
        return exitCode;
    }

    private void awaitStopped() {
        try {
            if (!stopped.await(stopLimit.toMillis() + 1_000, TimeUnit.MILLISECONDS)) {
                log.warn("the process did not stop in time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void stopAndHalt() {
        boolean running = stopped.getCount() > 0;
        close();
        if (running) {
            Runtime.getRuntime().halt(ended().number());
        }
    }
}
