package io.evenkeel.reconciler;

/** How a Kubernetes Event is shown. */
public enum EventType {
    /** As it should be. */
    NORMAL("Normal"),
    /** Somebody should look. */
    WARNING("Warning");

    private final String text;

    EventType(String text) {
        this.text = text;
    }

    /** As the API spells it. */
    public String text() {
        return text;
    }
}
