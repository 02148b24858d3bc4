package io.evenkeel.worker.task;

import java.util.concurrent.CompletionStage;

/** Tells what the brokers have of the records that a stream thread sends. */
@FunctionalInterface
public interface Acknowledgements {
    /**
     * Sends, and completes with true when the brokers have every record of it, exceptionally if they refused one.
     *
     * @param sends run at once, on the calling stream thread
     */
    CompletionStage<Boolean> of(Runnable sends);
}
