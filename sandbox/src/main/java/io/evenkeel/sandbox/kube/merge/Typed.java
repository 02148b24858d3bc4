package io.evenkeel.sandbox.kube.merge;

import io.evenkeel.sandbox.kube.json.Json;
import io.evenkeel.sandbox.kube.schema.Schema;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Operations on a value together with its schema, the ground of server-side apply: which fields it has, what changed
 * between two values, their merge, and removal of fields. Semantics as in "structured-merge-diff". Stateless.
 */
final class Typed {
    private enum Shape {
        LEAF,
        LIST,
        MAP
    }

    /** Fields by what happened to them between two values. */
    record Comparison(FieldSet added, FieldSet modified, FieldSet removed) {
        /** What is there in the end and was not there, or not so, at first. */
        FieldSet present() {
            return added.union(modified);
        }

        Comparison minusRecursively(FieldSet ignored) {
            return new Comparison(
                    added.minusRecursively(ignored),
                    modified.minusRecursively(ignored),
                    removed.minusRecursively(ignored));
        }
    }

    private Typed() {}

    private static Shape shape(Schema schema, JsonNode value) {
        if (schema.isIntOrString()) {
            return Shape.LEAF;
        }
        if (schema.isArray() && value.isArray() && schema.listType() != Schema.ListType.ATOMIC) {
            return Shape.LIST;
        }
        boolean object = schema.isObject() || schema.isUntyped() || schema.keepsUnknown();
        return object && value.isObject() && !schema.isAtomicMap() ? Shape.MAP : Shape.LEAF;
    }

    /** The step that names an item of a set or keyed list. */
    static String step(Schema list, JsonNode item) {
        if (list.listType() == Schema.ListType.SET || !item.isObject()) {
            return "v:" + item;
        }
        ObjectNode key = Json.object();
        Map<String, JsonNode> sorted = new TreeMap<>();
        for (String name : list.listKeys()) {
            Optional<JsonNode> value =
                    Json.at(item, name).or(() -> list.items().property(name).flatMap(Schema::defaultValue));
            value.ifPresent(present -> sorted.put(name, present));
        }
        sorted.forEach(key::set);
        return "k:" + key;
    }

    static FieldSet fields(Schema schema, JsonNode value) {
        FieldSet set = FieldSet.empty();
        collect(schema, value, new ArrayList<>(), set);
        return set;
    }

    private static void collect(Schema schema, JsonNode value, List<String> path, FieldSet set) {
        switch (shape(schema, value)) {
            case LEAF -> set.insert(path);
            case LIST -> {
                for (JsonNode item : value) {
                    path.addLast(step(schema, item));
                    collect(schema.items(), item, path, set);
                    set.insert(path);
                    path.removeLast();
                }
            }
            case MAP -> {
                for (Map.Entry<String, JsonNode> field : value.properties()) {
                    JsonNode child = field.getValue();
                    path.addLast("f:" + field.getKey());
                    collect(schema.child(field.getKey()), child, path, set);
                    boolean empty = child.isNull() || (child.isObject() && child.isEmpty());
                    if (empty || schema.property(field.getKey()).isEmpty()) {
                        set.insert(path);
                    }
                    path.removeLast();
                }
            }
        }
    }

    static Comparison compare(Schema schema, JsonNode before, JsonNode after) {
        Comparison result = new Comparison(FieldSet.empty(), FieldSet.empty(), FieldSet.empty());
        compare(schema, Optional.of(before), Optional.of(after), new ArrayList<>(), result);
        return result;
    }

    private static void compare(
            Schema schema, Optional<JsonNode> before, Optional<JsonNode> after, List<String> path, Comparison result) {
        JsonNode left = before.orElse(NullNode.getInstance());
        JsonNode right = after.orElse(NullNode.getInstance());
        if (!left.isNull() && !right.isNull() && shape(schema, left) != shape(schema, right)) {
            compare(schema, before, Optional.empty(), path, result);
            compare(schema, Optional.empty(), after, path, result);
            return;
        }
        Shape shape = shape(schema, left.isNull() ? right : left);
        // Two empty containers are compared as leaves, so that absent and empty stay distinct.
        boolean leaf = shape == Shape.LEAF || (left.isEmpty() && right.isEmpty());
        if (!leaf && shape == Shape.LIST) {
            compareItems(schema, left, right, path, result);
        } else if (!leaf) {
            Set<String> names = new LinkedHashSet<>();
            left.propertyNames().forEach(names::add);
            right.propertyNames().forEach(names::add);
            for (String name : names) {
                path.addLast("f:" + name);
                compare(
                        schema.child(name),
                        Optional.ofNullable(left.get(name)),
                        Optional.ofNullable(right.get(name)),
                        path,
                        result);
                path.removeLast();
            }
        }
        if (before.isEmpty()) {
            result.added().insert(path);
        } else if (after.isEmpty()) {
            result.removed().insert(path);
        } else if (leaf && !Json.same(left, right)) {
            result.modified().insert(path);
        }
    }

    private static void compareItems(
            Schema schema, JsonNode left, JsonNode right, List<String> path, Comparison result) {
        Map<String, JsonNode> before = index(schema, left);
        Map<String, JsonNode> after = index(schema, right);
        Set<String> steps = new LinkedHashSet<>(before.keySet());
        steps.addAll(after.keySet());
        for (String step : steps) {
            path.addLast(step);
            compare(
                    schema.items(),
                    Optional.ofNullable(before.get(step)),
                    Optional.ofNullable(after.get(step)),
                    path,
                    result);
            path.removeLast();
        }
    }

    private static Map<String, JsonNode> index(Schema list, JsonNode items) {
        Map<String, JsonNode> index = new LinkedHashMap<>();
        if (items.isArray()) {
            items.forEach(item -> index.put(step(list, item), item));
        }
        return index;
    }

    /** The live value with everything from {@code config} laid over it. */
    static JsonNode merge(Schema schema, JsonNode live, JsonNode config) {
        if (shape(schema, live) != shape(schema, config)) {
            return config.deepCopy();
        }
        return switch (shape(schema, config)) {
            case LEAF -> config.deepCopy();
            case MAP -> {
                ObjectNode merged = (ObjectNode) live.deepCopy();
                for (Map.Entry<String, JsonNode> field : config.properties()) {
                    JsonNode present = live.get(field.getKey());
                    merged.set(
                            field.getKey(),
                            present == null
                                    ? field.getValue().deepCopy()
                                    : merge(schema.child(field.getKey()), present, field.getValue()));
                }
                yield merged;
            }
            case LIST -> mergeItems(schema, live, config);
        };
    }

    /**
     * Items of both lists: those of {@code config} in its order, the others where they stood between them. An item of
     * both whose turn in {@code config} has not come yet is passed over, and comes with its turn.
     */
    private static ArrayNode mergeItems(Schema schema, JsonNode live, JsonNode config) {
        Map<String, JsonNode> before = index(schema, live);
        Map<String, JsonNode> wanted = index(schema, config);
        List<String> present = List.copyOf(before.keySet());
        Deque<String> pending = new ArrayDeque<>(wanted.keySet());
        Deque<String> shared = new ArrayDeque<>(wanted.keySet());
        shared.removeIf(step -> !before.containsKey(step));
        ArrayNode merged = Json.array();
        int at = 0;
        while (at < present.size() || !pending.isEmpty()) {
            String step = at < present.size() ? present.get(at) : "";
            boolean foreign = !step.isEmpty() && !wanted.containsKey(step);
            boolean early = !pending.isEmpty()
                    && !step.isEmpty()
                    && !shared.isEmpty()
                    && !step.equals(pending.peek())
                    && !step.equals(shared.peek());
            if (foreign) {
                merged.add(present(before, step).deepCopy());
                at++;
            } else if (early || pending.isEmpty() || (!step.isEmpty() && !pending.contains(step))) {
                at++;
            } else {
                String next = pending.remove();
                merged.add(mergedItem(schema, before.get(next), wanted.get(next)));
                at += next.equals(step) ? 1 : 0;
                shared.remove(next);
            }
        }
        return merged;
    }

    private static JsonNode present(Map<String, JsonNode> items, String step) {
        return items.getOrDefault(step, NullNode.getInstance());
    }

    private static JsonNode mergedItem(
            Schema list,
            @org.jspecify.annotations.Nullable JsonNode live,
            @org.jspecify.annotations.Nullable JsonNode config) {
        JsonNode wanted = config == null ? NullNode.getInstance() : config;
        return live == null ? wanted.deepCopy() : merge(list.items(), live, wanted);
    }

    /** The value without the members of {@code removals}; what becomes empty by that becomes null. */
    static JsonNode remove(Schema schema, JsonNode value, FieldSet removals) {
        return switch (shape(schema, value)) {
            case LEAF -> value;
            case LIST -> {
                ArrayNode kept = Json.array();
                for (JsonNode item : value) {
                    String step = step(schema, item);
                    if (!removals.hasMember(step)) {
                        kept.add(removals.hasBelow(step) ? remove(schema.items(), item, removals.below(step)) : item);
                    }
                }
                yield kept.isEmpty() ? NullNode.getInstance() : kept;
            }
            case MAP -> {
                ObjectNode kept = Json.object();
                for (Map.Entry<String, JsonNode> field : value.properties()) {
                    String step = "f:" + field.getKey();
                    if (!removals.hasMember(step)) {
                        kept.set(
                                field.getKey(),
                                removals.hasBelow(step)
                                        ? remove(schema.child(field.getKey()), field.getValue(), removals.below(step))
                                        : field.getValue());
                    }
                }
                yield kept.isEmpty() ? NullNode.getInstance() : kept;
            }
        };
    }

    /** Makes every declared field that has members below it a member itself. */
    static FieldSet withNamedFields(Schema schema, FieldSet set) {
        FieldSet result = FieldSet.empty();
        set.children().forEach((step, child) -> {
            boolean field = step.startsWith("f:");
            Schema childSchema = field ? schema.child(step.substring(2)) : schema.items();
            if (set.hasMember(step)
                    || (field && schema.property(step.substring(2)).isPresent())) {
                result.markMember(step);
            }
            result.put(step, withNamedFields(childSchema, child));
        });
        return result;
    }

    /** Finds the first field of {@code config} that the schema does not declare. */
    static Optional<String> undeclared(Schema schema, JsonNode config, String path) {
        if (config.isObject() && (shape(schema, config) == Shape.MAP || schema.isAtomicMap())) {
            for (Map.Entry<String, JsonNode> field : config.properties()) {
                String child = path + "." + field.getKey();
                if (schema.property(field.getKey()).or(schema::additional).isEmpty()) {
                    if (!schema.keepsUnknown() && !schema.isUntyped() && !schema.isEmbeddedResource()) {
                        return Optional.of(child);
                    }
                    continue;
                }
                Optional<String> nested = undeclared(schema.child(field.getKey()), field.getValue(), child);
                if (nested.isPresent()) {
                    return nested;
                }
            }
        } else if (config.isArray() && schema.isArray()) {
            for (JsonNode item : config) {
                Optional<String> nested = undeclared(schema.items(), item, path + "[]");
                if (nested.isPresent()) {
                    return nested;
                }
            }
        }
        return Optional.empty();
    }
}
