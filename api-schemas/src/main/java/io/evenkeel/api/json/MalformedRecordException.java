package io.evenkeel.api.json;

/** A record's value could not be read as what its topic holds. */
public final class MalformedRecordException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message what was expected and what is wrong with it */
    public MalformedRecordException(String message) {
        super(message);
    }
}
