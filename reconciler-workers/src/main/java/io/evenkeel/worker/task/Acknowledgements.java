package io.evenkeel.worker.task;

import java.util.concurrent.CompletionStage;

/** Tells what the brokers have of the records that a stream thread sends. */
@FunctionalInterface
public interface Acknowledgements {
    /**
     * Completes with true when the brokers have every record that the calling stream thread has sent so far,
     * exceptionally if they refused one.
     */
    CompletionStage<Boolean> ofAllSentSoFar();
}
