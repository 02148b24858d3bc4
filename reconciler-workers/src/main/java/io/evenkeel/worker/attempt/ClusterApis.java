package io.evenkeel.worker.attempt;

import java.util.Optional;

/** The API servers of the clusters that a worker works on. Thread-safe. */
public interface ClusterApis {
    /**
     * The API server of a cluster; may block until what it takes to reach it is loaded.
     *
     * @throws ClusterClosedException if the cluster is not configured, or what it takes to reach it cannot be loaded
     */
    KubernetesApi of(String cluster) throws InterruptedException;

    /** Why no work on a cluster makes sense now; empty if it does. Answers at once. */
    Optional<String> closedBecause(String cluster);
}
