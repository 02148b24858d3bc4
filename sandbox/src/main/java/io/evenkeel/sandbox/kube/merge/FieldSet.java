package io.evenkeel.sandbox.kube.merge;

import io.evenkeel.sandbox.kube.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A set of field paths in the form of a tree, as {@code managedFields} holds it: steps are {@code f:name},
 * {@code k:{"key":…}} for an item of a keyed list and {@code v:value} for an item of a set. A path that is in the set
 * is a <em>member</em>; the operations return new sets. Not thread-safe while it is built.
 */
final class FieldSet {
    private static final FieldSet EMPTY = new FieldSet();

    private boolean member;
    private final SortedMap<String, FieldSet> children = new TreeMap<>();

    static FieldSet empty() {
        return new FieldSet();
    }

    static FieldSet of(String... dottedPaths) {
        FieldSet set = new FieldSet();
        for (String path : dottedPaths) {
            List<String> steps = new ArrayList<>();
            for (String name : path.split("\\.", -1)) {
                steps.add("f:" + name);
            }
            set.insert(steps);
        }
        return set;
    }

    void insert(List<String> path) {
        FieldSet node = this;
        for (String step : path) {
            node = node.children.computeIfAbsent(step, s -> new FieldSet());
        }
        node.member = true;
    }

    boolean isEmpty() {
        return !member && children.values().stream().allMatch(FieldSet::isEmpty);
    }

    boolean hasMember(String step) {
        FieldSet child = children.get(step);
        return child != null && child.member;
    }

    /** What the set holds below one step; empty if nothing. */
    FieldSet below(String step) {
        return children.getOrDefault(step, EMPTY);
    }

    boolean hasBelow(String step) {
        FieldSet child = children.get(step);
        return child != null && child.children.values().stream().anyMatch(c -> !c.isEmpty());
    }

    SortedMap<String, FieldSet> children() {
        return children;
    }

    FieldSet markMember(String step) {
        children.computeIfAbsent(step, s -> new FieldSet()).member = true;
        return this;
    }

    FieldSet put(String step, FieldSet below) {
        FieldSet copy = below.copy();
        copy.member |= hasMember(step);
        children.put(step, copy);
        return this;
    }

    FieldSet union(FieldSet other) {
        FieldSet result = copy();
        result.addAll(other);
        return result;
    }

    private void addAll(FieldSet other) {
        member |= other.member;
        other.children.forEach((step, child) ->
                children.computeIfAbsent(step, s -> new FieldSet()).addAll(child));
    }

    FieldSet minus(FieldSet other) {
        FieldSet result = new FieldSet();
        result.member = member && !other.member;
        children.forEach((step, child) -> {
            FieldSet rest = child.minus(other.below(step));
            if (!rest.isEmpty()) {
                result.children.put(step, rest);
            }
        });
        return result;
    }

    /** Without the members of {@code other} and everything below them. */
    FieldSet minusRecursively(FieldSet other) {
        FieldSet result = new FieldSet();
        result.member = member && !other.member;
        children.forEach((step, child) -> {
            if (!other.hasMember(step)) {
                FieldSet rest = child.minusRecursively(other.below(step));
                if (!rest.isEmpty()) {
                    result.children.put(step, rest);
                }
            }
        });
        return result;
    }

    FieldSet intersection(FieldSet other) {
        FieldSet result = new FieldSet();
        result.member = member && other.member;
        children.forEach((step, child) -> {
            FieldSet common = child.intersection(other.below(step));
            if (!common.isEmpty()) {
                result.children.put(step, common);
            }
        });
        return result;
    }

    private FieldSet copy() {
        FieldSet result = new FieldSet();
        result.member = member;
        children.forEach((step, child) -> result.children.put(step, child.copy()));
        return result;
    }

    /** The members as people read them, {@code .spec.containers[name="a"].image}, shorter ones first on each level. */
    List<String> paths() {
        List<String> paths = new ArrayList<>();
        collect("", paths);
        return paths;
    }

    private void collect(String prefix, List<String> paths) {
        children.forEach((step, child) -> {
            if (child.member) {
                paths.add(prefix + readable(step));
            }
        });
        children.forEach((step, child) -> child.collect(prefix + readable(step), paths));
    }

    private static String readable(String step) {
        String content = step.substring(2);
        return switch (step.charAt(0)) {
            case 'k' ->
                Json.parse(content).properties().stream()
                        .map(key -> key.getKey() + "=" + key.getValue())
                        .collect(Collectors.joining(",", "[", "]"));
            case 'v' -> "[=" + content + "]";
            case 'i' -> "[" + content + "]";
            default -> "." + content;
        };
    }

    /** The FieldsV1 form. */
    ObjectNode toJson() {
        ObjectNode json = Json.object();
        if (member && !children.isEmpty()) {
            json.set(".", Json.object());
        }
        children.forEach((step, child) -> {
            if (!child.isEmpty()) {
                json.set(step, child.toJson());
            }
        });
        return json;
    }

    static FieldSet fromJson(JsonNode fieldsV1) {
        FieldSet set = read(fieldsV1);
        set.member = false;
        return set;
    }

    private static FieldSet read(JsonNode json) {
        FieldSet set = new FieldSet();
        set.member = json.isEmpty();
        for (Map.Entry<String, JsonNode> entry : json.properties()) {
            if (entry.getKey().equals(".")) {
                set.member = true;
            } else {
                set.children.put(entry.getKey(), read(entry.getValue()));
            }
        }
        return set;
    }
}
