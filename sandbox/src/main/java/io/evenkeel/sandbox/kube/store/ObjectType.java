package io.evenkeel.sandbox.kube.store;

/**
 * What a store sorts objects by: a group and a plural, without a version, because all versions of a kind are one object.
 *
 * @param group the API group; empty for the core group
 * @param plural the name in paths, for example {@code deployments}
 */
public record ObjectType(String group, String plural) {
    /** As messages name it: {@code deployments.apps}, or {@code pods}. */
    @Override
    public String toString() {
        return group.isEmpty() ? plural : plural + "." + group;
    }

    static ObjectType parse(String text) {
        int dot = text.indexOf('.');
        return dot < 0 ? new ObjectType("", text) : new ObjectType(text.substring(dot + 1), text.substring(0, dot));
    }
}
