package io.evenkeel.sandbox.kube.cluster;

import io.evenkeel.sandbox.kube.api.Resource;
import io.evenkeel.sandbox.kube.api.Selector;
import io.evenkeel.sandbox.kube.json.Json;
import io.evenkeel.sandbox.kube.schema.Schema;
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
    private static final Set<String> WORKLOADS =
            Set.of("deployments.apps", "replicasets.apps", "statefulsets.apps", "daemonsets.apps");

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
            case "services" -> assignAddress(object);
            case "secrets" -> encodeStrings(object);
            case "pods" -> {
                ObjectNode status = Json.child(object, "status");
                status.put("phase", "Pending");
                status.put("qosClass", "BestEffort");
                Json.child(object, "spec").put("enableServiceLinks", true);
            }
            case "jobs.batch" -> selectOwnPods(object);
            case "customresourcedefinitions.apiextensions.k8s.io" -> CustomDefinitions.prepare(object);
            default -> {}
        }
    }

    void prepareUpdate(Call call, ObjectNode live, ObjectNode wanted) {
        switch (call.resource().type().toString()) {
            case "secrets" -> encodeStrings(wanted);
            case "services" -> {
                ObjectNode spec = Json.child(wanted, "spec");
                for (String field : List.of("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy")) {
                    if (!spec.has(field) && live.path("spec").has(field)) {
                        spec.set(field, live.path("spec").get(field));
                    }
                }
                assignAddress(wanted);
            }
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
        ObjectNode selector = Json.child(spec, "selector");
        Json.child(selector, "matchLabels").put("batch.kubernetes.io/controller-uid", uid);
    }

    /** What a client should know about an object that is accepted. */
    List<String> warnings(Resource resource, ObjectNode object) {
        boolean rules = resource.type().equals(DEFINITIONS) && object.findValue("x-kubernetes-validations") != null;
        return rules
                ? List.of("x-kubernetes-validations are kept and not evaluated by this simulated server")
                : List.of();
    }

    List<Violation> violations(Resource resource, ObjectNode object, Optional<ObjectNode> live) {
        if (!resource.builtIn()) {
            return Writer.schemaViolations(resource, object);
        }
        List<Violation> found = new ArrayList<>();
        missing(resource.schema(), object, "", found);
        if (WORKLOADS.contains(resource.type().toString())) {
            workload(object, live, found);
        }
        if (resource.type().equals(DEFINITIONS)) {
            found.addAll(CustomDefinitions.violations(object));
        }
        if (Json.truth(object, "immutable")
                || live.map(before -> Json.truth(before, "immutable")).orElse(false)) {
            live.filter(before -> Json.truth(before, "immutable"))
                    .filter(before -> !Json.same(before.path("data"), object.path("data")))
                    .ifPresent(before ->
                            found.add(Violation.forbidden("data", "field is immutable when `immutable` is set")));
        }
        return found;
    }

    /** Fields that the type marks as required and that are absent or empty; a status is never asked for them. */
    private static void missing(Schema schema, JsonNode value, String path, List<Violation> found) {
        if (value.isObject() && !schema.isUntyped()) {
            for (String name : schema.required()) {
                JsonNode present = value.path(name);
                boolean empty = present.isMissingNode()
                        || present.isNull()
                        || (present.isString() && present.stringValue().isEmpty());
                if (empty && !FINE_WHEN_EMPTY.contains(name)) {
                    found.add(Violation.required(join(path, name)));
                }
            }
            for (Map.Entry<String, JsonNode> field : value.properties()) {
                if (!path.isEmpty() || !field.getKey().equals("status")) {
                    missing(schema.child(field.getKey()), field.getValue(), join(path, field.getKey()), found);
                }
            }
        } else if (value.isArray()) {
            for (int i = 0; i < value.size(); i++) {
                missing(schema.items(), value.get(i), path + "[" + i + "]", found);
            }
        }
    }

    private static String join(String path, String field) {
        return path.isEmpty() ? field : path + "." + field;
    }

    /** Go fields without omitempty whose zero value is fine: the schema calls them required, validation does not. */
    private static final Set<String> FINE_WHEN_EMPTY = Set.of("rules", "image", "addresses", "served", "storage");

    private static void workload(ObjectNode object, Optional<ObjectNode> live, List<Violation> found) {
        JsonNode spec = object.path("spec");
        long replicas = Json.number(spec, 0, "replicas");
        if (replicas < 0) {
            found.addFirst(
                    Violation.invalid("spec.replicas", Long.toString(replicas), "must be greater than or equal to 0"));
        }
        JsonNode labels = spec.path("template").path("metadata").path("labels");
        ObjectNode template = Json.object();
        template.set("metadata", spec.path("template").path("metadata"));
        if (!Selector.of(spec.path("selector")).matches(template) || !spec.has("selector")) {
            String shown = labels.isMissingNode() ? "null" : labels.toString();
            int at = (int) found.stream()
                    .filter(v -> v.field().equals("spec.selector") || v.field().equals("spec.replicas"))
                    .count();
            found.add(
                    at,
                    Violation.invalid(
                            "spec.template.metadata.labels", shown, "`selector` does not match template `labels`"));
        }
        live.filter(before -> !Json.same(before.path("spec").path("selector"), spec.path("selector")))
                .ifPresent(before -> found.add(
                        Violation.invalid("spec.selector", spec.path("selector").toString(), "field is immutable")));
        JsonNode containers = spec.path("template").path("spec").path("containers");
        for (int i = 0; i < containers.size(); i++) {
            if (Json.text(containers.get(i), "image").isEmpty()) {
                found.add(Violation.required("spec.template.spec.containers[" + i + "].image"));
            }
        }
    }

    /** False while something other than finalizers in metadata holds an object. */
    boolean mayVanish(Resource resource, ObjectNode object) {
        return !resource.type().equals(NAMESPACES)
                || object.path("spec").path("finalizers").isEmpty();
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
