package io.evenkeel.watcher.fold;

/** What the log says of an object; exactly one of these. */
public sealed interface ObjectState {
    /** Nothing, or that it was deleted. */
    record Unknown() implements ObjectState {}

    /**
     * That it lives.
     *
     * @param life its newest state on the log
     */
    record Known(Life life) implements ObjectState {}
}
