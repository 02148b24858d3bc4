package io.evenkeel.sandbox.kube.schema;

import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Finds values that could not be decoded into the type of a built-in kind; such a body is a bad request. Stateless. */
public final class GoTypes {
    private GoTypes() {}

    /** The decoder's complaint about the first value of a wrong type, if there is one. */
    public static Optional<String> mismatch(Schema schema, JsonNode value, String owner, String path) {
        if (value.isNull() || schema.isUntyped()) {
            return Optional.empty();
        }
        String expected = schema.type();
        boolean fits = switch (expected) {
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            case "string" -> value.isString();
            case "integer" -> value.isIntegralNumber();
            case "number" -> value.isNumber();
            case "boolean" -> value.isBoolean();
            default -> true;
        };
        if (!fits) {
            return Optional.of("json: cannot unmarshal " + goKind(value) + " into Go struct field " + owner + "." + path
                    + " of type " + goType(schema));
        }
        if (value.isObject()) {
            for (Map.Entry<String, JsonNode> field : value.properties()) {
                String child = path.isEmpty() ? field.getKey() : path + "." + field.getKey();
                Optional<String> nested = mismatch(schema.child(field.getKey()), field.getValue(), owner, child);
                if (nested.isPresent()) {
                    return nested;
                }
            }
        } else if (value.isArray()) {
            for (JsonNode item : value) {
                Optional<String> nested = mismatch(schema.items(), item, owner, path);
                if (nested.isPresent()) {
                    return nested;
                }
            }
        }
        return Optional.empty();
    }

    private static String goKind(JsonNode value) {
        return value.isObject()
                ? "object"
                : value.isArray() ? "array" : value.isBoolean() ? "bool" : value.isNumber() ? "number" : "string";
    }

    private static String goType(Schema schema) {
        String format = schema.limits().format();
        return switch (schema.type()) {
            case "integer" -> format.isEmpty() ? "int" : format;
            case "boolean" -> "bool";
            case "number" -> "float64";
            case "string" -> "string";
            case "array" -> "[]" + goType(schema.items());
            default -> schema.isMap() ? "map[string]" + goType(schema.child("")) : "struct";
        };
    }
}
