package io.evenkeel.runtime.cluster;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Clusters that never change. */
record FixedClusters(Map<String, ClusterDefinition> clusters) implements ClusterSource {
    FixedClusters {
        clusters = Map.copyOf(clusters);
    }

    @Override
    public boolean isFixed() {
        return true;
    }

    @Override
    public List<ClusterProblem> problems() {
        return List.of();
    }

    @Override
    public void follow(Consumer<Map<String, ClusterDefinition>> listener) {
        listener.accept(clusters);
    }

    @Override
    public void close() {
        // nothing to end
    }
}
