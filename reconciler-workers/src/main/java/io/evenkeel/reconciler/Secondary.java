package io.evenkeel.reconciler;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * A kind whose objects concern primaries of a controller.
 *
 * @param type Java class of the secondary
 * @param resource its kind
 * @param link how a secondary is known to concern a primary
 * @param filter which changes wake the primary; all are seen by its next run
 * @param <T> Java class of the primary
 * @param <S> Java class of the secondary
 */
public record Secondary<T extends HasMetadata, S extends HasMetadata>(
        Class<S> type, ResourceType resource, Link<T, S> link, Filter<S> filter) {
    static <T extends HasMetadata, S extends HasMetadata> Secondary<T, S> of(
            Class<S> type, Link<T, S> link, Filter<S> filter) {
        return new Secondary<>(type, ResourceType.of(type), link, filter);
    }

    static <T extends HasMetadata> Secondary<T, GenericKubernetesResource> of(
            ResourceType type, Link<T, GenericKubernetesResource> link, Filter<GenericKubernetesResource> filter) {
        return new Secondary<>(GenericKubernetesResource.class, type, link, filter);
    }

    /** Whether it is of that kind. */
    public boolean is(String group, String kind) {
        return resource.group().equals(group) && resource.kind().equals(kind);
    }
}
