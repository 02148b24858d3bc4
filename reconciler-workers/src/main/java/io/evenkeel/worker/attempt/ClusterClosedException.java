package io.evenkeel.worker.attempt;

/** No work on a cluster is possible now. */
public final class ClusterClosedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message which cluster, and why */
    public ClusterClosedException(String message) {
        super(message);
    }
}
