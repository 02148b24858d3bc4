package io.evenkeel.watcher.preflight;

/** Whether the API server lets us do something. */
public enum Permission {
    /** It does. */
    ALLOWED,
    /** It does not. */
    DENIED,
    /** It did not say. */
    UNKNOWN
}
