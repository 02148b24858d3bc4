package io.evenkeel.watcher.connection;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** The API server does not tell what it serves. */
public final class DiscoveryRefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final transient Optional<Duration> retryAfter;

    DiscoveryRefusedException(int status, Optional<Duration> retryAfter) {
        super("the API server answered " + status + " to discover");
        this.status = status;
        this.retryAfter = retryAfter;
    }

    Discovered.Refused refused() {
        return new Discovered.Refused(status, retryAfter);
    }
}
