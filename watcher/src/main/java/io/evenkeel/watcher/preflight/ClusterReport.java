package io.evenkeel.watcher.preflight;

import java.util.List;
import java.util.Optional;

/** What was found of one cluster; exactly one of these. */
public sealed interface ClusterReport {
    /** Id of the cluster. */
    String cluster();

    /**
     * The API server could not be asked.
     *
     * @param cluster id of the cluster
     * @param reason what is wrong, for people
     */
    record Unreachable(String cluster, String reason) implements ClusterReport {}

    /**
     * The API server does not know us (401).
     *
     * @param cluster id of the cluster
     */
    record Unauthenticated(String cluster) implements ClusterReport {}

    /**
     * The API server answered.
     *
     * @param cluster id of the cluster
     * @param user who we are to it; absent if it would not say
     * @param resources in the order of the configuration
     * @param identity whether we may read the namespace kube-system, by which a cluster is told from another that was put
     *     in its place; the watcher goes without
     * @param definitions whether we may follow the definitions of custom resources, by which it is learnt at once what came
     *     and went; the watcher goes without
     */
    record Answered(
            String cluster,
            Optional<String> user,
            List<ResourceReport> resources,
            Permission identity,
            ResourceReport definitions)
            implements ClusterReport {
        /** Takes a copy of the list. */
        public Answered {
            resources = List.copyOf(resources);
        }

        /** Whether all resources can be watched. */
        public boolean isWell() {
            return resources.stream().allMatch(ResourceReport::isWell);
        }

        /** Whether we may do all that a watcher does, also what it can go without. */
        public boolean isAllowed() {
            return identity == Permission.ALLOWED
                    && definitions.isAllowed()
                    && resources.stream().allMatch(ResourceReport::isAllowed);
        }
    }
}
