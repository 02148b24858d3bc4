package io.evenkeel.watcher.frame;

/** The parts of an object whose change consumers tell apart; the number of each is part of the index format. */
public enum Section {
    /** Desired state. */
    SPEC(0, "spec"),
    /** Observed state. */
    STATUS(1, "status"),
    /** Labels. */
    LABELS(2, "metadata.labels"),
    /** Annotations. */
    ANNOTATIONS(3, "metadata.annotations"),
    /** Finalizers. */
    FINALIZERS(4, "metadata.finalizers"),
    /** Owner references. */
    OWNER_REFERENCES(5, "metadata.ownerReferences"),
    /** Whether and when deletion was asked for. */
    DELETION_TIMESTAMP(6, "metadata.deletionTimestamp"),
    /** Every other field beside metadata: what kinds without a spec hold, such as data, rules or subsets. */
    DATA(7, "data");

    private final int number;
    private final String path;

    Section(int number, String path) {
        this.number = number;
        this.path = path;
    }

    /** From 0 to 7; never changes. */
    int number() {
        return number;
    }

    /** As it stands in a change event. */
    public String path() {
        return path;
    }
}
