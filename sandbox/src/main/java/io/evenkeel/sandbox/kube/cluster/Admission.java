package io.evenkeel.sandbox.kube.cluster;

import io.evenkeel.sandbox.kube.api.Finalizers;
import io.evenkeel.sandbox.kube.api.Resource;
import io.evenkeel.sandbox.kube.json.Json;
import io.evenkeel.sandbox.kube.schema.Violation;
import io.evenkeel.sandbox.kube.store.ObjectType;
import io.evenkeel.sandbox.kube.store.Store;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The few things a server does for a single built-in kind that no schema tells: addresses of services, names of
 * definitions, labels of namespaces. Called under the lock of the store.
 */
final class Admission {
    private static final ObjectType SERVICES = new ObjectType("", "services");
    private static final ObjectType NAMESPACES = new ObjectType("", "namespaces");
    private static final ObjectType DEFINITIONS = new ObjectType("apiextensions.k8s.io", "customresourcedefinitions");

    private final Store store;
    private final CustomDefinitions definitions;

    Admission(Store store, CustomDefinitions definitions) {
        this.store = store;
        this.definitions = definitions;
    }

    void prepareNew(Resource resource, ObjectNode object) {
        switch (resource.type().toString()) {
            case "namespaces" -> {
                Json.child(Json.metadata(object), "labels")
                        .put("kubernetes.io/metadata.name", Json.text(object, "metadata", "name"));
                Json.child(object, "spec").set("finalizers", Json.array().add("kubernetes"));
            }
            case "secrets" -> encodeStrings(object);
            case "pods" -> {
                ObjectNode status = Json.child(object, "status");
                status.put("phase", "Pending");
                status.put("qosClass", "BestEffort");
                Json.child(object, "spec").put("enableServiceLinks", true);
            }
            case "customresourcedefinitions.apiextensions.k8s.io" -> CustomDefinitions.prepare(object);
            default -> {}
        }
    }

    void prepareUpdate(Call call, ObjectNode live, ObjectNode wanted) {
        switch (call.resource().type().toString()) {
            case "secrets" -> encodeStrings(wanted);
            case "namespaces" -> {
                boolean finalizing = call.subresource().equals("finalize");
                if (!finalizing && live.path("spec").has("finalizers")) {
                    Json.child(wanted, "spec")
                            .set("finalizers", live.path("spec").get("finalizers"));
                }
            }
            default -> {}
        }
    }

    /** Fills in what the server chooses; unlike what it fills in before, this belongs to no manager. */
    void allocate(Resource resource, Optional<ObjectNode> live, ObjectNode wanted) {
        switch (resource.type().toString()) {
            case "services" -> {
                ObjectNode spec = Json.child(wanted, "spec");
                JsonNode before =
                        live.<JsonNode>map(present -> present.path("spec")).orElseGet(Json::object);
                for (String field : List.of("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy")) {
                    if (!spec.has(field) && before.has(field)) {
                        spec.set(field, before.get(field));
                    }
                }
                assignAddress(wanted);
            }
            case "jobs.batch" -> {
                if (live.isEmpty()) {
                    selectOwnPods(wanted);
                }
            }
            default -> {}
        }
    }

    private void assignAddress(ObjectNode service) {
        ObjectNode spec = Json.child(service, "spec");
        if (Json.text(spec, "type").equals("ExternalName")) {
            spec.remove("internalTrafficPolicy");
            return;
        }
        if (Json.text(spec, "clusterIP").isEmpty()) {
            spec.put("clusterIP", freeAddress());
        }
        spec.set("clusterIPs", Json.array().add(Json.text(spec, "clusterIP")));
        if (!spec.has("ipFamilies")) {
            spec.set("ipFamilies", Json.array().add("IPv4"));
            spec.put("ipFamilyPolicy", "SingleStack");
        }
        String type = Json.text(spec, "type");
        if (type.equals("NodePort") || type.equals("LoadBalancer")) {
            int offset = 0;
            for (JsonNode port : spec.path("ports")) {
                if (port instanceof ObjectNode entry && !entry.has("nodePort")) {
                    entry.put("nodePort", 30000 + (int) ((store.revision() + offset++) % 2768));
                }
            }
            if (!spec.has("externalTrafficPolicy")) {
                spec.put("externalTrafficPolicy", "Cluster");
            }
            if (type.equals("LoadBalancer") && !spec.has("allocateLoadBalancerNodePorts")) {
                spec.put("allocateLoadBalancerNodePorts", true);
            }
        }
    }

    private String freeAddress() {
        Set<String> taken = new TreeSet<>();
        store.list(SERVICES, "")
                .objects()
                .forEach(service -> taken.add(Json.text(Json.parse(service.body()), "spec", "clusterIP")));
        for (int host = 1; host < 65_534; host++) {
            String address = "10.96." + (host >> 8) + "." + (host & 255);
            if (!taken.contains(address)) {
                return address;
            }
        }
        throw new IllegalStateException("no free service address");
    }

    private static void encodeStrings(ObjectNode secret) {
        if (secret.get("stringData") instanceof ObjectNode plain) {
            ObjectNode data = Json.child(secret, "data");
            for (Map.Entry<String, JsonNode> entry : plain.properties()) {
                byte[] bytes = Json.plain(entry.getValue()).getBytes(StandardCharsets.UTF_8);
                data.put(entry.getKey(), Base64.getEncoder().encodeToString(bytes));
            }
            secret.remove("stringData");
        }
    }

    private static void selectOwnPods(ObjectNode job) {
        ObjectNode spec = Json.child(job, "spec");
        if (Json.truth(spec, "manualSelector")) {
            return;
        }
        String uid = Json.text(job, "metadata", "uid");
        ObjectNode labels = Json.child(Json.metadata(Json.child(spec, "template")), "labels");
        String name = Json.text(job, "metadata", "name");
        labels.put("batch.kubernetes.io/controller-uid", uid);
        labels.put("batch.kubernetes.io/job-name", name);
        labels.put("controller-uid", uid);
        labels.put("job-name", name);
        if (job.path("metadata").path("labels").isEmpty()) {
            Json.metadata(job).set("labels", labels.deepCopy());
        }
        ObjectNode selector = Json.child(spec, "selector");
        Json.child(selector, "matchLabels").put("batch.kubernetes.io/controller-uid", uid);
    }

    /** What a client should know about an object that is accepted. */
    List<String> warnings(Resource resource, ObjectNode object, Optional<ObjectNode> live) {
        if (!resource.builtIn()) {
            JsonNode before = live.<JsonNode>map(
                            present -> present.path("metadata").path("finalizers"))
                    .orElseGet(Json::array);
            return Finalizers.warnings(object.path("metadata").path("finalizers"), before);
        }
        List<String> warnings = new ArrayList<>();
        if (resource.type().equals(DEFINITIONS)) {
            if (object.findValue("x-kubernetes-validations") != null) {
                warnings.add("x-kubernetes-validations are kept and not evaluated by this simulated server");
            }
            if (Json.text(object, "spec", "conversion", "strategy").equals("Webhook")) {
                warnings.add("conversion webhooks are not called by this simulated server: versions differ in their"
                        + " apiVersion alone");
            }
        }
        return warnings;
    }

    List<Violation> violations(Resource resource, ObjectNode object, Optional<ObjectNode> live) {
        return resource.builtIn()
                ? BuiltInRules.violations(resource, object, live)
                : Writer.schemaViolations(resource, object);
    }

    /** False while something other than finalizers in metadata holds an object. */
    boolean mayVanish(Resource resource, ObjectNode object) {
        return !resource.type().equals(NAMESPACES)
                || object.path("spec").path("finalizers").isEmpty();
    }

    /** Refuses a new object of a resource that is being withdrawn. */
    void checkOpen(Resource resource, String name) {
        if (!resource.builtIn()) {
            definitions.checkOpen(resource, name);
        }
    }

    void created(Resource resource, ObjectNode object) {
        if (resource.type().equals(DEFINITIONS)) {
            definitions.created(object);
        }
    }

    void updated(Resource resource, ObjectNode object) {
        if (resource.type().equals(DEFINITIONS)) {
            definitions.updated(object);
        }
    }

    void deleted(Resource resource, ObjectNode object) {
        if (resource.type().equals(DEFINITIONS)) {
            definitions.deleted(object);
        }
    }
}
