package io.evenkeel.reconciler;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
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
    /** @throws IllegalArgumentException if version, kind or plural is missing, or one of them is no such name */
    public ResourceType {
        require(group.matches("|[a-z0-9]([-a-z0-9.]*[a-z0-9])?"), "group", group);
        require(version.matches("v[a-z0-9]+"), "version", version);
        require(kind.matches("[A-Za-z][A-Za-z0-9-]*"), "kind", kind);
        require(plural.matches("[a-z0-9]([-a-z0-9]*[a-z0-9])?"), "plural", plural);
    }

    private static void require(boolean condition, String name, String value) {
        if (!condition) {
            throw new IllegalArgumentException("a resource type's " + name + " cannot be '" + value
                    + "': it needs, for example, group apps, version v1, kind Deployment, plural deployments");
        }
    }

    /**
     * The kind of a class of fabric8's model, or of a custom resource class.
     *
     * @throws IllegalArgumentException for {@link GenericKubernetesResource}, which stands for any kind
     */
    public static ResourceType of(Class<? extends HasMetadata> type) {
        if (GenericKubernetesResource.class.isAssignableFrom(type)) {
            throw new IllegalArgumentException("GenericKubernetesResource does not say which kind it is: name the kind,"
                    + " such as new ResourceType(\"apps\", \"v1\", \"Deployment\", \"deployments\", true), instead of"
                    + " the class");
        }
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
                object instanceof GenericKubernetesResource
                        ? object.getMetadata().getNamespace() != null
                        : object instanceof Namespaced);
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
