package io.evenkeel.endtoend;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.LinkedHashMap;
import java.util.Map;

/** Objects that hold canaries wherever a watcher with {@link #REDACT} must not let them out, and harmless text beside them. */
final class PlantedSecrets {
    /** What is to be redacted beside Secrets. */
    static final String REDACT = "configmaps: .data['a.password'], configmaps: .binaryData.*,"
            + " configmaps: .metadata.annotations['example.com/token'],"
            + " *.apps: .spec.template.spec.containers[*].env[*].value";

    /** Stands beside each canary. */
    static final String HARMLESS = "harmless-and-easy-to-find";

    private static final String NAMESPACE = "default";
    private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
    private static final int KEYS_OF_A_LARGE_SECRET = 300;
    private static final KubernetesSerialization YAML = new KubernetesSerialization();

    private final KubernetesClient client;

    PlantedSecrets(KubernetesClient client) {
        this.client = client;
    }

    /** One of each kind, the Secrets as a small and as one that is too large for a record. */
    void plant(String when) {
        secret(when);
        largeSecret(when);
        configMap(when);
        client.resource(deployment(when)).create();
    }

    /** Other canaries in the same places. */
    void change(String when) {
        client.secrets()
                .inNamespace(NAMESPACE)
                .withName(when)
                .edit(secret -> new SecretBuilder(secret)
                        .addToData("token", Canary.encoded("changed-" + when))
                        .addToData("more", Canary.encoded("added-" + when))
                        .build());
        client.configMaps()
                .inNamespace(NAMESPACE)
                .withName(when)
                .edit(map -> new ConfigMapBuilder(map)
                        .addToData("a.password", Canary.named("changed-map-" + when))
                        .build());
    }

    /** The last that the server shows of them holds their canaries. */
    void delete(String when) {
        client.secrets().inNamespace(NAMESPACE).withName(when).delete();
        client.secrets().inNamespace(NAMESPACE).withName("large-" + when).delete();
        client.configMaps().inNamespace(NAMESPACE).withName(when).delete();
        client.apps().deployments().inNamespace(NAMESPACE).withName(when).delete();
    }

    private void secret(String when) {
        String manifest = "{\"stringData\":{\"text\":\"%s\"},\"data\":{\"token\":\"%s\"}}"
                .formatted(Canary.named("applied-" + when), Canary.encoded("applied-" + when));
        client.resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName(when)
                        .withNamespace(NAMESPACE)
                        .addToAnnotations(LAST_APPLIED, manifest)
                        .addToAnnotations("note", HARMLESS)
                        .endMetadata()
                        .addToData("token", Canary.encoded("data-" + when))
                        .addToStringData("text", Canary.named("string-data-" + when))
                        .build())
                .create();
    }

    /** A value is replaced by a short hash, so it takes many of them to be too large. */
    private void largeSecret(String when) {
        Map<String, String> data = new LinkedHashMap<>();
        for (int i = 0; i < KEYS_OF_A_LARGE_SECRET; i++) {
            data.put("key-" + i, Canary.named("large-" + when + "-" + i));
        }
        client.resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName("large-" + when)
                        .withNamespace(NAMESPACE)
                        .endMetadata()
                        .withStringData(data)
                        .build())
                .create();
    }

    void configMap(String when) {
        client.resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName(when)
                        .withNamespace(NAMESPACE)
                        .addToAnnotations(LAST_APPLIED, "{\"data\":{\"a.password\":\"" + Canary.named("map") + "\"}}")
                        .addToAnnotations("example.com/token", Canary.named("annotation-" + when))
                        .endMetadata()
                        .addToData("a.password", Canary.named("map-" + when))
                        .addToData("note", HARMLESS)
                        .addToBinaryData("key", Canary.encoded("binary-" + when))
                        .build())
                .create();
    }

    private static Deployment deployment(String when) {
        String manifest = """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: NAME, namespace: default}
            spec:
              selector: {matchLabels: {app: NAME}}
              template:
                metadata: {labels: {app: NAME}}
                spec:
                  containers:
                  - {name: first, image: "a:1", env: [{name: A, value: "SECRET"}, {name: B, value: "SECRET"}]}
                  - {name: second, image: "a:1", env: [{name: C, value: "SECRET"}]}
            """;
        return YAML.unmarshal(
                manifest.replace("NAME", when).replace("SECRET", Canary.named("env-" + when)), Deployment.class);
    }
}
