package io.evenkeel.watcher;

import org.jetbrains.lincheck.Lincheck;

/**
 * Plays a few threads in interleavings that are chosen, not met by chance: the model checker of Lincheck switches between them
 * at reads and writes of what they share. Waits have no end in there, so a wake-up that is lost is found as a deadlock.
 */
public final class Interleavings {
    private static final int PLAYED = 200;

    private Interleavings() {}

    /** Plays the same again and again, each time in another interleaving; what it throws fails it, with the steps that led there. */
    public static void play(Body body) {
        Lincheck.runConcurrentTest(PLAYED, () -> run(body));
    }

    /** A further thread of what is played, started. */
    public static Thread thread(Body body) {
        var thread = new Thread(() -> run(body));
        thread.start();
        return thread;
    }

    /** Fails what is played unless that holds. AssertJ's objects refuse {@code equals}, which Lincheck calls on what it meets. */
    public static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }

    private static void run(Body body) {
        try {
            body.run();
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts", e);
        }
    }

    /** What a thread does. */
    @FunctionalInterface
    public interface Body {
        /** Does it once. */
        void run() throws InterruptedException;
    }
}
