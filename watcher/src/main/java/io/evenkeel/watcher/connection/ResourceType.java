package io.evenkeel.watcher.connection;

/**
 * A resource as the API server's discovery describes it.
 *
 * @param group API group, empty for the core group
 * @param version the version that the server prefers
 * @param plural name in paths
 * @param kind such as {@code Deployment}
 */
public record ResourceType(String group, String version, String plural, String kind) {
    /** Path of the collection over all namespaces, without a leading slash. */
    public String path() {
        return (group.isEmpty() ? "api/" : "apis/" + group + "/") + version + "/" + plural;
    }

    /** As objects say it. */
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }
}
