package io.evenkeel.endtoend;

/**
 * A resource whose history a test compares.
 *
 * @param group API group, empty for core
 * @param version API version
 * @param plural resource name
 * @param kind its kind: lists of built-in kinds leave it out of their items
 */
record WatchedResource(String group, String version, String plural, String kind) {
    static final WatchedResource MEMCACHEDS =
            new WatchedResource("cache.example.com", "v1alpha1", "memcacheds", "Memcached");
    static final WatchedResource DEPLOYMENTS = new WatchedResource("apps", "v1", "deployments", "Deployment");
    static final WatchedResource SERVICES = new WatchedResource("", "v1", "services", "Service");
    static final WatchedResource PODS = new WatchedResource("", "v1", "pods", "Pod");

    String path() {
        return (group.isEmpty() ? "/api/" : "/apis/" + group + "/") + version + "/" + plural;
    }

    /** As {@code watcher.resources} spells it. */
    String setting() {
        return group.isEmpty() ? plural : plural + "." + group;
    }
}
