package io.evenkeel.watcher.connection;

import java.util.Optional;

/**
 * A resource as the API server's discovery describes it.
 *
 * @param group API group, empty for the core group
 * @param version the version that the server prefers
 * @param plural name in paths
 * @param kind such as {@code Deployment}
 * @param namespaced whether its objects lie in namespaces
 */
public record ResourceType(String group, String version, String plural, String kind, boolean namespaced) {
    /**
     * Path of a collection, without a leading slash.
     *
     * @param namespace whose objects; absent for all
     */
    public String path(Optional<String> namespace) {
        return (group.isEmpty() ? "api/" : "apis/" + group + "/") + version + "/"
                + namespace.map(name -> "namespaces/" + name + "/").orElse("") + plural;
    }

    /** As objects say it. */
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }
}
