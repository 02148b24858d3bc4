package io.evenkeel.watcher.preflight;

/** Whether a cluster has a resource that can be watched. */
public enum Existence {
    /** It has. */
    PRESENT,
    /** It has not. */
    ABSENT,
    /** Discovery gave no answer. */
    UNKNOWN
}
