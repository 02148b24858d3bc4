package io.evenkeel.sandbox.kube.merge;

/** Says that a patch cannot be carried out; {@code malformed} tells a broken patch from one that does not fit. */
public final class PatchFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean malformed;

    PatchFailure(String message, boolean malformed) {
        super(message);
        this.malformed = malformed;
    }

    public boolean isMalformed() {
        return malformed;
    }
}
