package io.evenkeel.sandbox.kube.cluster;

import io.evenkeel.sandbox.kube.api.Resource;
import io.evenkeel.sandbox.kube.api.Selector;
import io.evenkeel.sandbox.kube.json.Json;
import io.evenkeel.sandbox.kube.schema.Schema;
import io.evenkeel.sandbox.kube.schema.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What an object of a built-in kind must fulfil: what its schema tells, and a few rules of single kinds. Stateless. */
final class BuiltInRules {
    private static final Set<String> WORKLOADS =
            Set.of("deployments.apps", "replicasets.apps", "statefulsets.apps", "daemonsets.apps");

    /** A status is never asked for anything, and metadata has its own rules. */
    private static final Set<String> OUTSIDE = Set.of("status", "metadata");

    /** Go fields without omitempty whose zero value is fine: the schema calls them required, validation does not. */
    private static final Set<String> FINE_WHEN_EMPTY =
            Set.of("rules", "image", "addresses", "served", "storage", "limits");

    /** Ports of services are checked by {@link ServiceRules}. */
    private static final String HAS_OWN_RULES = "io.k8s.api.core.v1.ServicePort";

    private BuiltInRules() {}

    static List<Violation> violations(Resource resource, ObjectNode object, Optional<ObjectNode> live) {
        List<Violation> found = new ArrayList<>();
        bySchema(resource.schema(), object, "", found);
        if (resource.type().toString().equals("services")) {
            ServiceRules.check(object.path("spec"), found);
        }
        if (WORKLOADS.contains(resource.type().toString())) {
            workload(resource, object, live, found);
        }
        if (resource.type().equals(CustomDefinitions.TYPE)) {
            found.addAll(CustomDefinitions.violations(object));
        }
        live.filter(before -> Json.truth(before, "immutable")).ifPresent(before -> immutable(before, object, found));
        return found;
    }

    /** Fields that the type marks as required and that are absent or empty, and values outside an enumeration. */
    private static void bySchema(Schema schema, JsonNode value, String path, List<Violation> found) {
        if (value.isObject() && !schema.isUntyped()) {
            for (String name : HAS_OWN_RULES.equals(schema.name()) ? List.<String>of() : schema.required()) {
                JsonNode present = value.path(name);
                boolean empty = present.isMissingNode()
                        || present.isNull()
                        || (present.isString() && present.stringValue().isEmpty());
                if (empty && !FINE_WHEN_EMPTY.contains(name)) {
                    found.add(Violation.required(join(path, name)));
                }
            }
            for (Map.Entry<String, JsonNode> field : value.properties()) {
                if (!path.isEmpty() || !OUTSIDE.contains(field.getKey())) {
                    bySchema(schema.child(field.getKey()), field.getValue(), join(path, field.getKey()), found);
                }
            }
        } else if (value.isArray()) {
            for (int i = 0; i < value.size(); i++) {
                bySchema(schema.items(), value.get(i), path + "[" + i + "]", found);
            }
        } else {
            enumeration(schema, value, path, found);
        }
    }

    private static void enumeration(Schema schema, JsonNode value, String path, List<Violation> found) {
        List<JsonNode> allowed = schema.limits().enumeration();
        if (!allowed.isEmpty() && !Json.plain(value).isEmpty() && !allowed.contains(value)) {
            found.add(new Violation(
                    "FieldValueNotSupported",
                    path,
                    "Unsupported value: " + value + ": supported values: "
                            + allowed.stream().map(JsonNode::toString).collect(Collectors.joining(", "))));
        }
    }

    private static String join(String path, String field) {
        return path.isEmpty() ? field : path + "." + field;
    }

    private static void workload(
            Resource resource, ObjectNode object, Optional<ObjectNode> live, List<Violation> found) {
        JsonNode spec = object.path("spec");
        long replicas = Json.number(spec, 0, "replicas");
        if (replicas < 0) {
            found.addFirst(
                    Violation.invalid("spec.replicas", Long.toString(replicas), "must be greater than or equal to 0"));
        }
        selector(resource, spec, found);
        if (Json.text(spec, "strategy", "type").equals("Recreate")
                && spec.path("strategy").has("rollingUpdate")) {
            found.add(Violation.forbidden(
                    "spec.strategy.rollingUpdate", "may not be specified when strategy `type` is 'Recreate'"));
        }
        live.filter(before -> !Json.same(before.path("spec").path("selector"), spec.path("selector")))
                .ifPresent(before -> found.add(
                        Violation.invalid("spec.selector", shown(spec.path("selector")), "field is immutable")));
        JsonNode containers = spec.path("template").path("spec").path("containers");
        for (int i = 0; i < containers.size(); i++) {
            if (Json.text(containers.get(i), "image").isEmpty()) {
                found.add(Violation.required("spec.template.spec.containers[" + i + "].image"));
            }
        }
    }

    private static void selector(Resource resource, JsonNode spec, List<Violation> found) {
        if (spec.path("selector").isObject() && spec.path("selector").isEmpty()) {
            String kind = resource.kind().equals("ReplicaSet") ? "Deployment" : resource.kind();
            found.add(Violation.invalid(
                    "spec.selector", "{}", "empty selector is invalid for " + kind.toLowerCase(Locale.ROOT)));
        }
        ObjectNode template = Json.object();
        template.set("metadata", spec.path("template").path("metadata"));
        if (!Selector.of(spec.path("selector")).matches(template) || !spec.has("selector")) {
            int at = (int) found.stream()
                    .filter(v -> v.field().equals("spec.selector") || v.field().equals("spec.replicas"))
                    .count();
            found.add(
                    at,
                    Violation.invalid(
                            "spec.template.metadata.labels",
                            shown(spec.path("template").path("metadata").path("labels")),
                            "`selector` does not match template `labels`"));
        }
    }

    private static String shown(JsonNode value) {
        return value.isMissingNode() ? "null" : value.toString();
    }

    private static void immutable(ObjectNode before, ObjectNode object, List<Violation> found) {
        String rule = "field is immutable when `immutable` is set";
        if (!Json.truth(object, "immutable")) {
            found.add(Violation.forbidden("immutable", rule));
        }
        for (String field : List.of("data", "binaryData")) {
            if (!Json.same(before.path(field), object.path(field))) {
                found.add(Violation.forbidden(field, rule));
            }
        }
    }
}
