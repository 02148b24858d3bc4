package io.evenkeel.sandbox.kube.cluster;

import io.evenkeel.sandbox.kube.json.Json;
import io.evenkeel.sandbox.kube.schema.Schema;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Finds the first value of a wrong type in an applied configuration, worded as a typed merge does. Stateless. */
final class AppliedTypes {
    private AppliedTypes() {}

    static Optional<String> mismatch(Schema schema, JsonNode value, String path) {
        if (value.isNull() || schema.isUntyped() || schema.isIntOrString()) {
            return Optional.empty();
        }
        return switch (schema.type()) {
            case "integer", "number" -> expect(value.isNumber(), path, "numeric (int or float), got " + kind(value));
            case "string" -> expect(value.isString(), path, "string, got " + mention(value));
            case "boolean" -> expect(value.isBoolean(), path, "boolean, got " + kind(value));
            case "array" ->
                value.isArray() ? inItems(schema, value, path) : expect(false, path, "list, got " + mention(value));
            case "object" ->
                value.isObject() ? inFields(schema, value, path) : expect(false, path, "map, got " + mention(value));
            default -> Optional.empty();
        };
    }

    private static Optional<String> expect(boolean fits, String path, String wording) {
        return fits ? Optional.empty() : Optional.of(path + ": expected " + wording);
    }

    private static Optional<String> inItems(Schema schema, JsonNode value, String path) {
        for (JsonNode item : value) {
            Optional<String> nested = mismatch(schema.items(), item, path + "[]");
            if (nested.isPresent()) {
                return nested;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> inFields(Schema schema, JsonNode value, String path) {
        for (Map.Entry<String, JsonNode> field : value.properties()) {
            Optional<String> nested =
                    mismatch(schema.child(field.getKey()), field.getValue(), path + "." + field.getKey());
            if (nested.isPresent()) {
                return nested;
            }
        }
        return Optional.empty();
    }

    private static String kind(JsonNode value) {
        return value.isString() ? "string" : value.isBoolean() ? "boolean" : value.isObject() ? "map" : "list";
    }

    private static String mention(JsonNode value) {
        return "&{" + Json.plain(value) + "}";
    }
}
