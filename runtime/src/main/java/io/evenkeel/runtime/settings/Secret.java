package io.evenkeel.runtime.settings;

/** A text that must not be seen: its {@code toString} hides it. */
public final class Secret {
    /** What is shown in place of a secret. */
    public static final String HIDDEN = "[hidden]";

    private final String text;

    /** @param text the secret itself */
    public Secret(String text) {
        this.text = text;
    }

    /** The secret itself; never pass it to a log or a message. */
    public String reveal() {
        return text;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Secret secret && secret.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return HIDDEN;
    }
}
