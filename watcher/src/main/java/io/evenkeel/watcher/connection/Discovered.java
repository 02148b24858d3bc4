package io.evenkeel.watcher.connection;

import java.time.Duration;
import java.util.Optional;

/** What asking for a resource led to; exactly one of these. */
public sealed interface Discovered {
    /**
     * The server has it.
     *
     * @param type how to reach it
     */
    record Present(ResourceType type) implements Discovered {}

    /** The server does not have it, or it cannot be listed and watched. */
    record Absent() implements Discovered {}

    /**
     * The server gave no answer to the question.
     *
     * @param status HTTP status
     * @param retryAfter how long the server asked us to stay away
     */
    record Refused(int status, Optional<Duration> retryAfter) implements Discovered {}
}
