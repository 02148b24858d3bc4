package io.evenkeel.reconciler;

/** A write was not sent, because this worker no longer holds the object, or cannot prove that it does. */
public final class WriteRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message why */
    public WriteRefusedException(String message) {
        super(message);
    }
}
