package io.evenkeel.sandbox.kube.schema;

import io.evenkeel.sandbox.kube.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * What the schema of a custom resource must fulfil: types everywhere, and nothing that makes merging or validation
 * ambiguous. See "Specifying a structural schema" in the Kubernetes documentation.
 */
public final class StructuralRules {
    private static final Set<String> TYPES = Set.of("array", "boolean", "integer", "number", "object", "string");
    private static final Set<String> METADATA_FIELDS = Set.of("name", "generateName");

    private final List<Violation> found = new ArrayList<>();

    private StructuralRules() {}

    /** @param path of the schema in its definition */
    public static List<Violation> violations(JsonNode schema, String path) {
        StructuralRules rules = new StructuralRules();
        rules.check(schema, path, "at the root");
        rules.metadata(schema.path("properties").path("metadata"), path + ".properties[metadata]");
        return List.copyOf(rules.found);
    }

    /** @param place what the complaint about a missing type calls it */
    private void check(JsonNode schema, String path, String place) {
        type(schema, path, place);
        if (Json.truth(schema, "uniqueItems")) {
            found.add(Violation.forbidden(
                    path + ".uniqueItems",
                    "uniqueItems cannot be set to true since the runtime complexity becomes quadratic"));
        }
        if (schema.has("properties") && schema.has("additionalProperties")) {
            found.add(Violation.forbidden(
                    path + ".additionalProperties", "additionalProperties and properties are mutual exclusive"));
        }
        list(schema, path);
        if (schema.has("default")) {
            defaultValue(schema, path + ".default");
        }
        for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
            check(property.getValue(), path + ".properties[" + property.getKey() + "]", "for specified object fields");
        }
        if (schema.path("additionalProperties").isObject()) {
            check(schema.path("additionalProperties"), path + ".additionalProperties", "for specified object fields");
        }
        if (schema.path("items").isObject()) {
            check(schema.path("items"), path + ".items", "for specified array items");
        }
    }

    private void type(JsonNode schema, String path, String place) {
        String type = Json.text(schema, "type");
        boolean mayBeOpen = Json.truth(schema, "x-kubernetes-int-or-string")
                || Json.truth(schema, "x-kubernetes-preserve-unknown-fields");
        if (type.isEmpty() && (!mayBeOpen || place.equals("at the root"))) {
            found.add(Violation.required(path + ".type", "must not be empty " + place));
        } else if (!type.isEmpty() && !TYPES.contains(type)) {
            String supported =
                    TYPES.stream().sorted().map(name -> "\"" + name + "\"").collect(Collectors.joining(", "));
            found.add(new Violation(
                    "FieldValueNotSupported",
                    path + ".type",
                    "Unsupported value: \"" + type + "\": supported values: " + supported));
        }
    }

    private void list(JsonNode schema, String path) {
        JsonNode items = schema.path("items");
        if (Json.text(schema, "type").equals("array") && !items.isObject()) {
            found.add(Violation.required(path + ".items", "must be specified"));
        }
        String kind = Json.text(schema, "x-kubernetes-list-type");
        boolean atomic = Json.text(items, "x-kubernetes-map-type").equals("atomic");
        if (kind.equals("set") && Json.text(items, "type").equals("object") && !atomic) {
            found.add(Violation.invalid(
                    path + ".items.x-kubernetes-map-type",
                    "null",
                    "must be atomic as item of a list with x-kubernetes-list-type=set"));
        }
        JsonNode keys = schema.path("x-kubernetes-list-map-keys");
        if (kind.equals("map") && keys.isEmpty()) {
            found.add(Violation.required(
                    path + ".x-kubernetes-list-map-keys", "must not be empty if x-kubernetes-list-type is map"));
        }
        for (JsonNode key : keys) {
            JsonNode property = items.path("properties").path(Json.plain(key));
            boolean required = items.path("required").valueStream().anyMatch(name -> Json.same(name, key));
            if (property.isObject() && !property.has("default") && !required) {
                found.add(Violation.required(
                        path + ".items.properties[" + Json.plain(key) + "].default",
                        "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required"
                                + " property"));
            }
        }
    }

    private void defaultValue(JsonNode schema, String path) {
        for (Violation wrong : Validator.validate(Definitions.alone(schema), schema.get("default"))) {
            String within = wrong.field().isEmpty() ? "" : "." + wrong.field();
            found.add(new Violation(wrong.reason(), path + within, wrong.message()));
        }
    }

    private void metadata(JsonNode metadata, String path) {
        boolean more = metadata.path("properties").properties().stream()
                .anyMatch(property -> !METADATA_FIELDS.contains(property.getKey()));
        if (more) {
            found.add(Violation.forbidden(
                    path,
                    "must not specify anything other than name and generateName, but metadata is implicitly"
                            + " specified"));
        }
    }
}
