package io.evenkeel.runtime.cluster;

import java.time.Duration;

/** Looks at one source of definitions. Used by one thread. */
interface DefinitionReader extends AutoCloseable {
    /** For people: what it looks at. */
    String describe();

    /**
     * Looks at everything.
     *
     * @throws BadDefinitionException if nothing could be found out
     */
    Reading read() throws BadDefinitionException, InterruptedException;

    /** Waits until there may be something new, not much longer than {@code patience}. */
    default void awaitChange(Duration patience) throws InterruptedException {
        Thread.sleep(patience);
    }

    @Override
    default void close() {}
}
