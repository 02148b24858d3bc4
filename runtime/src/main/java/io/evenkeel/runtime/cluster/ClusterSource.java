package io.evenkeel.runtime.cluster;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Where the definitions of clusters come from. A definition that is bad is reported in the log and in {@link #problems},
 * and leaves the others, and its own last good version, as they are. Thread-safe.
 */
public interface ClusterSource extends AutoCloseable {
    /** The clusters of now, by id. */
    Map<String, ClusterDefinition> clusters();

    /** Whether its clusters never change, so that nobody can mend one while the process runs. */
    default boolean isFixed() {
        return false;
    }

    /** What is wrong now. */
    List<ClusterProblem> problems();

    /**
     * Has the listener told all clusters: now, before this returns, and after each change, on one thread of the source. A
     * listener that throws is called again at the next change.
     */
    void follow(Consumer<Map<String, ClusterDefinition>> listener);

    /** Ends; no listener is called afterwards. */
    @Override
    void close();

    /** One cluster that never changes. */
    static ClusterSource of(ClusterDefinition definition) {
        return new FixedClusters(Map.of(definition.name(), definition));
    }
}
