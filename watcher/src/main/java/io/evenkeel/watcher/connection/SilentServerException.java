package io.evenkeel.watcher.connection;

import java.io.IOException;
import java.time.Duration;

/** Nothing came for so long that the peer, or the watch, must be taken for dead. */
public final class SilentServerException extends IOException {
    private static final long serialVersionUID = 1L;

    SilentServerException(Duration silence) {
        super("nothing came for " + silence.toSeconds() + " s");
    }
}
