package io.evenkeel.worker.harness;

import io.evenkeel.worker.attempt.ClusterApis;
import io.evenkeel.worker.attempt.KubernetesApi;
import java.util.Optional;

/** Clusters that are always in reach. */
public final class InReach {
    private InReach() {}

    /** A breaker that never opens. */
    public static KubernetesApi.Reach always() {
        return new KubernetesApi.Reach() {
            @Override
            public void answered() {}

            @Override
            public void broke(String cause) {}

            @Override
            public Optional<String> closedBecause() {
                return Optional.empty();
            }
        };
    }

    /** Each cluster is this one. */
    public static ClusterApis each(KubernetesApi api) {
        return new ClusterApis() {
            @Override
            public KubernetesApi of(String cluster) {
                return api;
            }

            @Override
            public Optional<String> closedBecause(String cluster) {
                return Optional.empty();
            }
        };
    }
}
