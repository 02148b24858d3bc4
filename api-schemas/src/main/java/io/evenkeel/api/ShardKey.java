package io.evenkeel.api;

/**
 * Names a shard, the unit of watching: {@code <cluster>/<group or core>/<resource>}.
 *
 * @param cluster id of the cluster
 * @param group API group, empty for the core group
 * @param resource plural resource name, such as {@code deployments}
 */
public record ShardKey(String cluster, String group, String resource) {
    /** @throws IllegalArgumentException if cluster or resource is empty or a part is malformed */
    public ShardKey {
        KeyText.required("cluster", cluster);
        KeyText.limited("group", group);
        KeyText.required("resource", resource);
        if (group.equals("core")) {
            throw new IllegalArgumentException("the core group is written as an empty group, not as 'core'");
        }
    }

    /**
     * Reads what {@link #toString()} wrote.
     *
     * @throws IllegalArgumentException if the text is not a key of three parts
     */
    public static ShardKey parse(String text) {
        String[] parts = text.split("/", -1);
        if (parts.length != 3) {
            throw new IllegalArgumentException(
                    "a shard key has the form cluster/group/resource but this is '" + text + "'");
        }
        return new ShardKey(
                KeyText.unescape(parts[0]),
                parts[1].equals("core") ? "" : KeyText.unescape(parts[1]),
                KeyText.unescape(parts[2]));
    }

    @Override
    public String toString() {
        return KeyText.escape(cluster) + "/" + (group.isEmpty() ? "core" : KeyText.escape(group)) + "/"
                + KeyText.escape(resource);
    }
}
