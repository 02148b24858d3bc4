package io.evenkeel.runtime.cluster;

/** A definition cannot be used; the message says why, and what to do, without its place and without secrets. */
final class BadDefinitionException extends Exception {
    private static final long serialVersionUID = 1L;

    BadDefinitionException(String message) {
        super(message);
    }

    BadDefinitionException(String message, Throwable cause) {
        super(message, cause);
    }

    String reason() {
        return String.valueOf(getMessage());
    }
}
