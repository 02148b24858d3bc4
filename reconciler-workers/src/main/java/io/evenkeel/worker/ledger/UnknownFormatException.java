package io.evenkeel.worker.ledger;

/** The ledger holds bytes that this program cannot read; it stops rather than guess. */
public final class UnknownFormatException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message what was found and what to do */
    public UnknownFormatException(String message) {
        super(message);
    }
}
