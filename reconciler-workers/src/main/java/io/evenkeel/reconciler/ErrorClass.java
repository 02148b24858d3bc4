package io.evenkeel.reconciler;

/** What an error that a handler threw says about trying again. */
public enum ErrorClass {
    /** No further attempt can mend it: the object is parked until its spec changes or a person redrives it. */
    TERMINAL,
    /** It may pass: tried again with the controller's backoff, and counted. */
    TRANSIENT,
    /** Somebody else wrote first: tried again after the backoff's first delay, with the newest state, and counted. */
    CONFLICT,
    /** The API server asks for patience: tried again when it says, or after a second or two; not counted. */
    THROTTLED,
    /** Nobody answered: tried again after a second or two, or when the cluster is back; not counted. */
    UNREACHABLE;

    /** Whether it counts as a failed attempt. */
    public boolean counts() {
        return switch (this) {
            case TERMINAL, TRANSIENT, CONFLICT -> true;
            case THROTTLED, UNREACHABLE -> false;
        };
    }
}
