package io.evenkeel.reconciler;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;

/**
 * A kind of object and how the API server serves it.
 *
 * @param group API group, empty for the core group
 * @param version API version in which it is written
 * @param kind such as {@code Deployment}
 * @param plural such as {@code deployments}
 * @param namespaced whether its objects lie in namespaces
 */
public record ResourceType(String group, String version, String kind, String plural, boolean namespaced) {
    /** The kind of a class of fabric8's model, or of a custom resource class. */
    public static ResourceType of(Class<? extends HasMetadata> type) {
        String group = HasMetadata.getGroup(type);
        return new ResourceType(
                group == null ? "" : group,
                HasMetadata.getVersion(type),
                HasMetadata.getKind(type),
                HasMetadata.getPlural(type),
                Namespaced.class.isAssignableFrom(type));
    }

    /** The kind of an object; also of a generic one, which says so itself. */
    public static ResourceType ofObject(HasMetadata object) {
        String apiVersion = object.getApiVersion();
        int slash = apiVersion.indexOf('/');
        return new ResourceType(
                slash < 0 ? "" : apiVersion.substring(0, slash),
                apiVersion.substring(slash + 1),
                object.getKind(),
                object.getPlural(),
                object instanceof Namespaced);
    }

    /** {@code <group>/<version>}, or the version alone for the core group. */
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** {@code <plural>.<group>}, or the plural alone for the core group. */
    public String resource() {
        return group.isEmpty() ? plural : plural + "." + group;
    }

    /** Whether that API version is one of this group. */
    public boolean servesApiVersion(String otherApiVersion) {
        int slash = otherApiVersion.indexOf('/');
        return group.equals(slash < 0 ? "" : otherApiVersion.substring(0, slash));
    }
}
