package io.evenkeel.watcher.health;

/** How a shard fares. */
public enum ShardState {
    /** Taken over, listing, or resuming. */
    SYNCING,
    /** A watch is open and everything it showed is on its way to the log. */
    LIVE,
    /** The API server refuses to list or watch it. */
    FORBIDDEN,
    /** The API server does not know the resource. */
    GONE,
    /** The API server does not answer, or answers with failures. */
    UNREACHABLE
}
