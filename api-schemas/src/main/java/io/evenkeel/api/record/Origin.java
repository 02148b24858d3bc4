package io.evenkeel.api.record;

/** How the watcher came to know of a change. */
public enum Origin {
    /** First sight of the shard: the object was in its first list. */
    LIST,
    /** The API server sent it on a watch. */
    WATCH,
    /** Found by comparing a list with what was known, after a gap: steps between may be missing. */
    RELIST,
    /** Found and repaired by the audit. */
    AUDIT
}
