package io.evenkeel.sandbox.kube.merge;

import io.evenkeel.sandbox.kube.json.Json;
import io.evenkeel.sandbox.kube.schema.Schema;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Strategic merge patch, driven by the patch strategies and merge keys of the schema. Stateless. */
public final class StrategicMerge {
    private static final String DIRECTIVE = "$patch";
    private static final String RETAIN = "$retainKeys";
    private static final String DELETE_PRIMITIVES = "$deleteFromPrimitiveList/";
    private static final String ORDER = "$setElementOrder/";

    private StrategicMerge() {}

    /** @throws PatchFailure if the patch holds an unknown directive or an item without its merge key */
    public static JsonNode merge(Schema schema, JsonNode target, JsonNode patch) {
        if (!(patch instanceof ObjectNode changes)) {
            return patch.deepCopy();
        }
        String directive = Json.text(changes, DIRECTIVE);
        switch (directive) {
            case "replace" -> {
                ObjectNode replaced = changes.deepCopy();
                replaced.remove(DIRECTIVE);
                return replaced;
            }
            case "delete" -> {
                return Json.object();
            }
            case "", "merge" -> {}
            default -> throw new PatchFailure("unknown patch type found: map[$patch:" + directive + "]", true);
        }
        ObjectNode result = target instanceof ObjectNode object ? object.deepCopy() : Json.object();
        if (changes.has(RETAIN)) {
            Set<String> retained = new LinkedHashSet<>();
            changes.get(RETAIN).forEach(name -> retained.add(Json.plain(name)));
            result.retain(retained);
        }
        for (Map.Entry<String, JsonNode> field : changes.properties()) {
            mergeField(schema, result, changes, field.getKey(), field.getValue());
        }
        for (Map.Entry<String, JsonNode> field : changes.properties()) {
            String name = field.getKey().substring(field.getKey().indexOf('/') + 1);
            JsonNode order = changes.path(ORDER + name);
            String key = schema.child(name).patchMergeKey().orElse("");
            boolean merged =
                    order.isArray() || schema.child(name).patchMergeKey().isPresent();
            if (merged && result.get(name) instanceof ArrayNode items) {
                ArrayNode before = target.path(name) instanceof ArrayNode present ? present : Json.array();
                result.set(name, sorted(key, items, before, order.isArray() ? order : changes.path(name)));
            }
        }
        return result;
    }

    private static void mergeField(Schema schema, ObjectNode result, ObjectNode patch, String name, JsonNode value) {
        if (name.equals(DIRECTIVE) || name.equals(RETAIN) || name.startsWith(ORDER)) {
            return;
        }
        if (name.startsWith(DELETE_PRIMITIVES)) {
            String list = name.substring(DELETE_PRIMITIVES.length());
            if (result.get(list) instanceof ArrayNode items) {
                items.removeIf(item -> value.valueStream().anyMatch(gone -> Json.same(gone, item)));
                if (!patch.has(list) && items.isEmpty()) {
                    result.remove(list);
                }
            }
            return;
        }
        if (value.isNull()) {
            result.remove(name);
            return;
        }
        Schema child = schema.child(name);
        JsonNode present = result.get(name);
        if (value.isObject()) {
            boolean replace = child.patchStrategies().contains("replace");
            boolean removed = Json.text(value, DIRECTIVE).equals("delete");
            if (removed) {
                result.remove(name);
            } else {
                result.set(name, merge(child, replace || present == null ? Json.object() : present, value));
            }
        } else if (value instanceof ArrayNode items) {
            Optional<String> mergeKey = child.patchMergeKey();
            ArrayNode before = present instanceof ArrayNode array ? array : Json.array();
            result.set(name, mergeKey.isPresent() ? mergeList(child, mergeKey.get(), before, items) : items.deepCopy());
        } else {
            result.set(name, value);
        }
    }

    private static ArrayNode mergeList(Schema list, String key, ArrayNode before, ArrayNode patch) {
        boolean replaceAll = patch.valueStream()
                .anyMatch(item -> item.isObject() && Json.text(item, DIRECTIVE).equals("replace"));
        ArrayNode result = replaceAll ? Json.array() : before.deepCopy();
        for (JsonNode item : patch) {
            if (!item.isObject()) {
                if (result.valueStream().noneMatch(other -> Json.same(other, item))) {
                    result.add(item);
                }
                continue;
            }
            String directive = Json.text(item, DIRECTIVE);
            if (directive.equals("replace")) {
                continue;
            }
            JsonNode identity = item.get(key);
            if (identity == null) {
                throw new PatchFailure("map: " + item + " does not contain declared merge key: " + key, true);
            }
            int at = position(result, key, identity);
            if (directive.equals("delete")) {
                if (at >= 0) {
                    result.remove(at);
                }
            } else if (at >= 0) {
                result.set(at, merge(list.items(), result.get(at), item));
            } else {
                result.add(merge(list.items(), Json.object(), item));
            }
        }
        return result;
    }

    private static int position(ArrayNode items, String key, JsonNode identity) {
        for (int i = 0; i < items.size(); i++) {
            JsonNode found = key.isEmpty() ? items.get(i) : items.get(i).path(key);
            if (Json.same(found, identity)) {
                return i;
            }
        }
        return -1;
    }

    /**
     * Brings the items that {@code order} names into its order; the others stay before the first of them that they stood
     * before.
     */
    private static ArrayNode sorted(String key, ArrayNode items, ArrayNode before, JsonNode order) {
        Deque<JsonNode> named = new ArrayDeque<>();
        for (JsonNode wanted : order) {
            int at = position(items, key, identity(key, wanted));
            if (at >= 0) {
                named.add(items.get(at));
            }
        }
        ArrayNode sorted = Json.array();
        for (JsonNode item : items) {
            if (contains(named, item) || contains(sorted, item)) {
                continue;
            }
            while (!named.isEmpty() && !standsBefore(key, before, item, named.peek())) {
                sorted.add(named.remove());
            }
            sorted.add(item);
        }
        sorted.addAll(named);
        return sorted;
    }

    private static boolean standsBefore(String key, ArrayNode list, JsonNode left, JsonNode right) {
        int leftAt = position(list, key, identity(key, left));
        int rightAt = position(list, key, identity(key, right));
        return leftAt >= 0 && rightAt >= 0 && leftAt < rightAt;
    }

    private static JsonNode identity(String key, JsonNode item) {
        return key.isEmpty() ? item : item.path(key);
    }

    private static boolean contains(Iterable<JsonNode> items, JsonNode wanted) {
        for (JsonNode item : items) {
            if (Json.same(item, wanted)) {
                return true;
            }
        }
        return false;
    }
}
