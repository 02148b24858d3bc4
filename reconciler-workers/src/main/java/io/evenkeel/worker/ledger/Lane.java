package io.evenkeel.worker.ledger;

/** How urgent pending work is; the order of the constants is the order of service. */
public enum Lane {
    /** A deletion or a changed spec: a person waits. */
    URGENT(0),
    /** A secondary changed, metadata changed, a person asks. */
    NORMAL(1),
    /** A retry or requeue is due. */
    RETRY(3),
    /** First list, backlog, resync, audit. */
    BACKGROUND(2);

    private final byte code;

    Lane(int code) {
        this.code = (byte) code;
    }

    static Lane of(byte code) {
        return switch (code) {
            case 0 -> URGENT;
            case 1 -> NORMAL;
            case 2 -> BACKGROUND;
            case 3 -> RETRY;
            default -> throw new UnknownFormatException("unknown lane in the ledger: " + code);
        };
    }

    byte code() {
        return code;
    }

    /** The more urgent of the two. */
    public Lane or(Lane other) {
        return compareTo(other) <= 0 ? this : other;
    }
}
