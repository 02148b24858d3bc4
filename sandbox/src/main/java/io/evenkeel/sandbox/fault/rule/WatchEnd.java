package io.evenkeel.sandbox.fault.rule;

/** How a watch ends before its time. */
public enum WatchEnd {
    /** The stream ends as if its time were up. */
    CLOSE,
    /** The connection breaks, and everything else that goes over it; frames in flight may be lost with it. */
    CUT,
    /** The watch stays open, and nothing comes any more. */
    SILENCE,
    /** Half of the next frame, then the stream ends as if its time were up. */
    HALF_FRAME,
    /** A line that is not JSON, then the stream ends. */
    GARBAGE,
    /** An ERROR frame with status 410, then the stream ends: the position has become too old. */
    EXPIRED,
    /** An ERROR frame with status 401, then the stream ends: what looks at the token of open watches found it too old. */
    UNAUTHORIZED
}
