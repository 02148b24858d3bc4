package io.evenkeel.endtoend;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The example's objects as a user sees them: through the API, without the example's own class. */
final class Memcacheds {
    static final ResourceDefinitionContext RESOURCE = new ResourceDefinitionContext.Builder()
            .withGroup("cache.example.com")
            .withVersion("v1alpha1")
            .withKind("Memcached")
            .withPlural("memcacheds")
            .withNamespaced(true)
            .build();

    private Memcacheds() {}

    static GenericKubernetesResource named(String name, Map<String, Object> spec) {
        var memcached = new GenericKubernetesResource();
        memcached.setApiVersion("cache.example.com/v1alpha1");
        memcached.setKind("Memcached");
        memcached.setMetadata(
                new ObjectMetaBuilder().withName(name).withNamespace("default").build());
        memcached.setAdditionalProperty("spec", spec);
        return memcached;
    }

    static List<GenericKubernetesResource> all(KubernetesClient client) {
        return client.genericKubernetesResources(RESOURCE)
                .inNamespace("default")
                .list()
                .getItems();
    }

    static GenericKubernetesResource get(KubernetesClient client, String name) {
        return client.genericKubernetesResources(RESOURCE)
                .inNamespace("default")
                .withName(name)
                .get();
    }

    /** Ready=True for the newest generation, with that many replicas. */
    static boolean isReady(GenericKubernetesResource memcached, int replicas) {
        Number observed = memcached.get("status", "observedGeneration");
        return Objects.equals(memcached.get("status", "readyReplicas"), replicas)
                && observed != null
                && observed.longValue() == memcached.getMetadata().getGeneration()
                && "Ready".equals(memcached.get("status", "conditions", 0, "type"))
                && "True".equals(memcached.get("status", "conditions", 0, "status"));
    }
}
