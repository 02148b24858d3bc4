package io.evenkeel.watcher.frame;

/** The API server sent something that is no list, frame or object. The message never holds what was sent. */
public final class MalformedFrameException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message what was expected and where */
    public MalformedFrameException(String message) {
        super(message);
    }
}
