package io.evenkeel.api.record;

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
    UNREACHABLE;

    /** Whether nobody needs to look: it is live, or its cluster does not have the resource and it starts when that comes. */
    public boolean isWell() {
        return switch (this) {
            case LIVE, GONE -> true;
            case SYNCING, FORBIDDEN, UNREACHABLE -> false;
        };
    }
}
