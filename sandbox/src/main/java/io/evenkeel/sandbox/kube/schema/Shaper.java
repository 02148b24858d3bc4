package io.evenkeel.sandbox.kube.schema;

import io.evenkeel.sandbox.kube.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Brings an object into the form in which a server keeps it: unknown fields pruned, defaults filled in. Stateless. */
public final class Shaper {
    private Shaper() {}

    /** Drops what the schema does not name and reports each dropped path. */
    public static void prune(Schema schema, ObjectNode object, Consumer<String> dropped) {
        prune(schema, object, "", dropped);
    }

    private static void prune(Schema schema, JsonNode node, String path, Consumer<String> dropped) {
        if (node instanceof ObjectNode object) {
            List<String> unknown = new ArrayList<>();
            for (Map.Entry<String, JsonNode> field : object.properties()) {
                String child = path.isEmpty() ? field.getKey() : path + "." + field.getKey();
                Optional<Schema> known = schema.property(field.getKey()).or(schema::additional);
                if (known.isPresent()) {
                    prune(known.get(), field.getValue(), child, dropped);
                } else if (!schema.keepsUnknown() && !(schema.isEmbeddedResource() && isEnvelope(field.getKey()))) {
                    unknown.add(field.getKey());
                    dropped.accept(child);
                }
            }
            object.remove(unknown);
        } else if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                prune(schema.items(), array.get(i), path + "[" + i + "]", dropped);
            }
        }
    }

    private static boolean isEnvelope(String field) {
        return field.equals("apiVersion") || field.equals("kind") || field.equals("metadata");
    }

    /** Drops the nulls of a custom resource that have neither leave to be there nor a default to be replaced by. */
    public static void dropNulls(Schema schema, JsonNode node) {
        if (node instanceof ObjectNode object) {
            List<String> nulls = object.properties().stream()
                    .filter(field -> field.getValue().isNull())
                    .map(Map.Entry::getKey)
                    .filter(name -> schema.property(name)
                            .or(schema::additional)
                            .map(child ->
                                    !child.isNullable() && child.defaultValue().isEmpty())
                            .orElse(false))
                    .toList();
            object.remove(nulls);
            object.properties().forEach(field -> dropNulls(schema.child(field.getKey()), field.getValue()));
        } else if (node instanceof ArrayNode array) {
            array.forEach(item -> dropNulls(schema.items(), item));
        }
    }

    /** Fills in the defaults of a custom resource: absent fields, and nulls where null is not allowed. */
    public static void defaultCustom(Schema schema, JsonNode node) {
        if (node instanceof ObjectNode object) {
            schema.properties().forEach((name, child) -> {
                JsonNode present = object.get(name);
                if (present == null || (present.isNull() && !child.isNullable())) {
                    child.defaultValue().ifPresent(value -> object.set(name, value.deepCopy()));
                }
            });
            object.properties().forEach(field -> defaultCustom(schema.child(field.getKey()), field.getValue()));
        } else if (node instanceof ArrayNode array) {
            array.forEach(item -> defaultCustom(schema.items(), item));
        }
    }

    /**
     * Does for a built-in kind what decoding into its Go type and encoding again does: nulls and empty maps and lists
     * vanish, embedded structs appear, and the kind's defaults are filled in.
     */
    public static void normalizeBuiltIn(Schema schema, ObjectNode object) {
        List<String> vanishing = new ArrayList<>();
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            JsonNode value = field.getValue();
            Optional<Schema> child = schema.property(field.getKey());
            boolean collection = child.map(c -> c.isArray() || c.isMap()).orElse(false);
            if ((value.isNull() && child.isPresent()) || (collection && value.isEmpty())) {
                vanishing.add(field.getKey());
            }
        }
        object.remove(vanishing);
        schema.properties().forEach((name, child) -> {
            if (!object.has(name) && child.isObject() && child.defaultValue().isPresent()) {
                object.set(name, child.defaultValue().get().deepCopy());
            }
        });
        schema.rules().properties().forEach(rule -> {
            if (!object.has(rule.getKey())) {
                evaluate(rule.getValue(), object).ifPresent(value -> object.set(rule.getKey(), value.deepCopy()));
            }
        });
        schema.properties().forEach((name, child) -> {
            if (!object.has(name)) {
                child.defaultValue().filter(value -> !isZero(value)).ifPresent(value -> object.set(name, value));
            }
        });
        normalizeEach(schema, object);
    }

    private static void normalizeEach(Schema schema, ObjectNode object) {
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            Schema child = schema.child(field.getKey());
            JsonNode value = field.getValue();
            if (child.isQuantity()) {
                field.setValue(Json.string(Quantities.canonical(Json.plain(value))));
            } else {
                normalizeValue(child, value);
            }
        }
    }

    private static void normalizeValue(Schema schema, JsonNode value) {
        if (value instanceof ObjectNode nested && !schema.isUntyped()) {
            if (schema.isMap()) {
                if (schema.child("").type().equals("string")) {
                    nested.properties().stream()
                            .filter(entry -> entry.getValue().isNull())
                            .forEach(entry -> entry.setValue(Json.string(""))); // Go has no null string
                }
                normalizeEach(schema, nested);
            } else {
                normalizeBuiltIn(schema, nested);
            }
        } else if (value instanceof ArrayNode array) {
            array.forEach(item -> normalizeValue(schema.items(), item));
        }
    }

    private static boolean isZero(JsonNode value) {
        return (value.isEmpty() && value.isContainer())
                || (value.isString() && value.stringValue().isEmpty())
                || (value.isNumber() && value.doubleValue() == 0)
                || (value.isBoolean() && !value.booleanValue());
    }

    private static Optional<JsonNode> evaluate(JsonNode rule, ObjectNode owner) {
        if (rule.has("$copy")) {
            return Json.at(owner, Json.text(rule, "$copy"));
        }
        if (rule.has("$image")) {
            String image = Json.text(owner, Json.text(rule, "$image"));
            int tag = image.lastIndexOf(':');
            boolean latest = !image.contains("@")
                    && (tag <= image.lastIndexOf('/')
                            || image.substring(tag + 1).equals("latest"));
            return Optional.of(Json.string(latest ? "Always" : "IfNotPresent"));
        }
        if (rule.has("$alone")) {
            boolean alone = owner.size() == 1 && owner.has(Json.text(rule, "$alone"));
            return alone ? Optional.of(rule.get("value")) : Optional.empty();
        }
        if (rule.has("$when")) {
            boolean holds = rule.get("$when").properties().stream()
                    .allMatch(
                            condition -> Json.text(owner, condition.getKey()).equals(Json.plain(condition.getValue())));
            return holds ? Optional.of(rule.get("value")) : Optional.empty();
        }
        return Optional.of(rule);
    }

    /** The object that a Go type holds before anything was decoded into it: embedded structs and required fields. */
    public static ObjectNode zero(Schema schema) {
        ObjectNode zero = Json.object();
        schema.properties().forEach((name, child) -> {
            if (child.isObject() && child.defaultValue().isPresent()) {
                zero.set(name, zero(child));
            } else if (schema.required().contains(name)) {
                zero.putNull(name);
            }
        });
        return zero;
    }
}
