package io.evenkeel.api.record;

/** What happened to an object. */
public enum ChangeType {
    /** A new life: first seen, or created. */
    ADDED,
    /** Same uid, another resourceVersion. */
    MODIFIED,
    /** The life ended. */
    DELETED;

    /** The CloudEvents type, such as {@code io.evenkeel.object.added}. */
    public String cloudEventType() {
        return "io.evenkeel.object." + name().toLowerCase(java.util.Locale.ROOT);
    }
}
