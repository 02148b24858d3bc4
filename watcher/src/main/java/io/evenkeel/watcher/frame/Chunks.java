package io.evenkeel.watcher.frame;

import java.io.IOException;
import java.util.Optional;

/** The body of an answer, piece by piece, as it arrives. */
@FunctionalInterface
public interface Chunks {
    /**
     * Waits for the next piece.
     *
     * @return empty at the end
     * @throws IOException if the connection broke or was silent for too long
     */
    Optional<byte[]> next() throws IOException, InterruptedException;
}
