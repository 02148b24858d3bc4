package io.evenkeel.api;

/**
 * Names one object of one cluster across all topics: {@code <cluster>/<group or core>/<Kind>/<namespace or _>/<name>}.
 * The version is left out, because v1beta1 and v1 of a kind are one object; so is the uid, because a re-created object
 * is a new life under the same key.
 *
 * @param cluster id that we gave the cluster, 1 to 253 characters
 * @param group API group, empty for the core group
 * @param kind kind in its API spelling, such as {@code Deployment}
 * @param namespace namespace, empty for a cluster-scoped object
 * @param name name, 1 to 253 characters; RBAC names may hold {@code :} and other signs
 */
public record ObjectKey(String cluster, String group, String kind, String namespace, String name)
        implements Comparable<ObjectKey> {
    private static final String CORE = "core";
    private static final String NO_NAMESPACE = "_";

    /**
     * @throws IllegalArgumentException if cluster, kind or name is empty, or a part is too long, holds control
     *     characters or could be taken for another key
     */
    public ObjectKey {
        KeyText.required("cluster", cluster);
        KeyText.limited("group", group);
        KeyText.required("kind", kind);
        KeyText.limited("namespace", namespace);
        KeyText.required("name", name);
        if (group.equals(CORE)) {
            throw new IllegalArgumentException("the core group is written as an empty group, not as 'core'");
        }
        if (namespace.equals(NO_NAMESPACE)) {
            throw new IllegalArgumentException("no namespace is written as an empty namespace, not as '_'");
        }
    }

    /**
     * Reads what {@link #toString()} wrote.
     *
     * @throws IllegalArgumentException if the text is not a key of five parts
     */
    public static ObjectKey parse(String text) {
        String[] parts = text.split("/", -1);
        if (parts.length != 5) {
            throw new IllegalArgumentException(
                    "an object key has the form cluster/group/Kind/namespace/name but this is '" + text + "'");
        }
        return new ObjectKey(
                KeyText.unescape(parts[0]),
                parts[1].equals(CORE) ? "" : KeyText.unescape(parts[1]),
                KeyText.unescape(parts[2]),
                parts[3].equals(NO_NAMESPACE) ? "" : KeyText.unescape(parts[3]),
                KeyText.unescape(parts[4]));
    }

    /** The text that {@link Partitioner} hashes: the kind is left out, so objects of one name and namespace meet. */
    public String partitionText() {
        return KeyText.escape(cluster) + "/" + namespaceText() + "/" + KeyText.escape(name);
    }

    /** {@code <namespace>/<name>}, or the name alone for a cluster-scoped object; for people and for CloudEvents. */
    public String subject() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }

    @Override
    public int compareTo(ObjectKey other) {
        return toString().compareTo(other.toString());
    }

    @Override
    public String toString() {
        return KeyText.escape(cluster) + "/" + (group.isEmpty() ? CORE : KeyText.escape(group)) + "/"
                + KeyText.escape(kind) + "/" + namespaceText() + "/" + KeyText.escape(name);
    }

    private String namespaceText() {
        return namespace.isEmpty() ? NO_NAMESPACE : KeyText.escape(namespace);
    }
}
