package io.evenkeel.watcher;

import io.evenkeel.api.ShardKey;

/**
 * A resource as kubectl names it: {@code deployments.apps}, or {@code services} of the core group.
 *
 * @param plural lower case, such as {@code deployments}
 * @param group API group, empty for the core group
 */
public record ResourceName(String plural, String group) {
    /**
     * Reads {@code <plural>.<group>} or {@code <plural>}.
     *
     * @throws IllegalArgumentException if the text is neither
     */
    public static ResourceName parse(String text) {
        if (!text.matches("[a-z0-9]+(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")) {
            throw new IllegalArgumentException("a resource is named as <plural>.<group>, such as"
                    + " deployments.apps, or <plural> of the core group, such as services, but one is '" + text + "'");
        }
        int dot = text.indexOf('.');
        return dot < 0 ? new ResourceName(text, "") : new ResourceName(text.substring(0, dot), text.substring(dot + 1));
    }

    /** The shard that this resource is in a cluster. */
    public ShardKey in(String cluster) {
        return new ShardKey(cluster, group, plural);
    }

    boolean isSecrets() {
        return plural.equals("secrets") && group.isEmpty();
    }

    @Override
    public String toString() {
        return group.isEmpty() ? plural : plural + "." + group;
    }
}
