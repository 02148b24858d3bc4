package io.evenkeel.reconciler;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;

/**
 * Where an object lies within its cluster and kind.
 *
 * @param namespace its namespace; empty for a cluster-scoped kind
 * @param name its name
 */
public record ObjectName(String namespace, String name) {
    /** @throws IllegalArgumentException if there is no name */
    public ObjectName {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("an object's name must not be empty");
        }
    }

    /** The name of an object. */
    public static ObjectName of(HasMetadata object) {
        return new ObjectName(
                Optional.ofNullable(object.getMetadata().getNamespace()).orElse(""),
                object.getMetadata().getName());
    }

    /** The name of an object of a cluster-scoped kind. */
    public static ObjectName clusterScoped(String name) {
        return new ObjectName("", name);
    }
}
