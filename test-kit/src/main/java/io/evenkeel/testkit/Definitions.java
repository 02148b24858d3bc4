package io.evenkeel.testkit;

import io.evenkeel.reconciler.ResourceType;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;

/** Definitions of custom kinds: the generated ones where they are on the class path, else without a schema. */
final class Definitions {
    private Definitions() {}

    static void create(KubernetesClient client, Class<?> type, ResourceType resource) {
        if (CustomResource.class.isAssignableFrom(type)) {
            client.resource(generated(client, type, resource).orElseGet(() -> open(resource)))
                    .create();
        }
    }

    private static Optional<CustomResourceDefinition> generated(
            KubernetesClient client, Class<?> type, ResourceType resource) {
        String path = "/META-INF/fabric8/" + resource.resource() + "-v1.yml";
        try (InputStream in = type.getResourceAsStream(path)) {
            return in == null
                    ? Optional.empty()
                    : Optional.of(client.getKubernetesSerialization().unmarshal(in, CustomResourceDefinition.class));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + path, e);
        }
    }

    private static CustomResourceDefinition open(ResourceType resource) {
        return new CustomResourceDefinitionBuilder()
                .withNewMetadata()
                .withName(resource.resource())
                .endMetadata()
                .withNewSpec()
                .withGroup(resource.group())
                .withScope(resource.namespaced() ? "Namespaced" : "Cluster")
                .withNewNames()
                .withKind(resource.kind())
                .withPlural(resource.plural())
                .endNames()
                .addNewVersion()
                .withName(resource.version())
                .withServed(true)
                .withStorage(true)
                .withNewSubresources()
                .withNewStatus()
                .endStatus()
                .endSubresources()
                .withNewSchema()
                .withNewOpenAPIV3Schema()
                .withType("object")
                .withXKubernetesPreserveUnknownFields(true)
                .endOpenAPIV3Schema()
                .endSchema()
                .endVersion()
                .endSpec()
                .build();
    }
}
