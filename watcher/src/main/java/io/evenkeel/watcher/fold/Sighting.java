package io.evenkeel.watcher.fold;

/** What the API server showed of an object; exactly one of these. */
public sealed interface Sighting {
    /**
     * It is in a list.
     *
     * @param life the state that was listed
     * @param first whether the shard was never listed before, so that the object may be new to us without being new
     */
    record Listed(Life life, boolean first) implements Sighting {}

    /**
     * A watch showed that it was created or changed.
     *
     * @param life its new state
     * @param late whether the watch had passed this version before
     */
    record Upserted(Life life, boolean late) implements Sighting {}

    /**
     * A watch showed that it is gone.
     *
     * @param life its final state, with the resourceVersion of the deletion
     */
    record Deleted(Life life) implements Sighting {}

    /**
     * A complete list did not hold it.
     *
     * @param epoch of the list
     */
    record Missing(long epoch) implements Sighting {}
}
