package io.evenkeel.sandbox.kube.merge;

import io.evenkeel.sandbox.kube.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

/** JSON merge patch (RFC 7386) and JSON patch (RFC 6902). Stateless; inputs are left as they are. */
public final class Patches {
    private Patches() {}

    public static JsonNode merge(JsonNode target, JsonNode patch) {
        if (!patch.isObject()) {
            return patch.deepCopy();
        }
        ObjectNode result = target instanceof ObjectNode object ? object.deepCopy() : Json.object();
        for (Map.Entry<String, JsonNode> field : patch.properties()) {
            if (field.getValue().isNull()) {
                result.remove(field.getKey());
            } else {
                JsonNode present = result.get(field.getKey());
                result.set(field.getKey(), merge(present == null ? Json.object() : present, field.getValue()));
            }
        }
        return result;
    }

    /** @throws PatchFailure if the patch is malformed, points at nothing, or a test in it fails */
    public static JsonNode json(JsonNode target, JsonNode operations) {
        if (!operations.isArray()) {
            throw new PatchFailure(
                    "error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp",
                    true);
        }
        ObjectNode holder = Json.object();
        holder.set("", target.deepCopy()); // a pointer to the whole document is then a member like any other
        for (JsonNode operation : operations) {
            perform(holder, operation);
        }
        return holder.get("");
    }

    private static void perform(ObjectNode holder, JsonNode operation) {
        List<String> path = pointer(Json.text(operation, "path"));
        switch (Json.text(operation, "op")) {
            case "add" -> add(holder, path, value(operation));
            case "remove" -> remove(holder, path);
            case "replace" -> replace(holder, path, value(operation));
            case "move" -> {
                List<String> from = pointer(Json.text(operation, "from"));
                JsonNode moved = find(holder, from);
                remove(holder, from);
                add(holder, path, moved);
            }
            case "copy" ->
                add(
                        holder,
                        path,
                        find(holder, pointer(Json.text(operation, "from"))).deepCopy());
            case "test" -> {
                JsonNode expected = operation.has("value") ? operation.get("value") : NullNode.getInstance();
                if (!Json.same(present(holder, path), expected)) {
                    throw new PatchFailure("testing value " + Json.text(operation, "path") + " failed", false);
                }
            }
            default -> throw new PatchFailure("Unexpected kind: " + Json.text(operation, "op"), false);
        }
    }

    private static JsonNode value(JsonNode operation) {
        JsonNode value = operation.get("value");
        if (value == null) {
            throw new PatchFailure("missing value", false);
        }
        return value.deepCopy();
    }

    private static List<String> pointer(String text) {
        List<String> steps = new ArrayList<>();
        steps.add("");
        if (!text.isEmpty()) {
            if (text.charAt(0) != '/') {
                throw new PatchFailure("invalid JSON pointer: " + text, false);
            }
            for (String step : text.substring(1).split("/", -1)) {
                steps.add(step.replace("~1", "/").replace("~0", "~"));
            }
        }
        return steps;
    }

    private static JsonNode find(JsonNode root, List<String> path) {
        JsonNode current = root;
        for (String step : path) {
            JsonNode next =
                    current.isArray() ? current.get(index(current, step, current.size() - 1)) : current.get(step);
            if (next == null) {
                throw new PatchFailure("path does not exist: " + String.join("/", path), false);
            }
            current = next;
        }
        return current;
    }

    private static int index(JsonNode array, String step, int largest) {
        try {
            int index = Integer.parseInt(step);
            int position = index < 0 ? array.size() + index : index;
            if (position >= 0 && position <= largest) {
                return position;
            }
        } catch (NumberFormatException e) {
            throw new PatchFailure("invalid array index: " + step, false);
        }
        throw new PatchFailure("array index out of bounds: " + step, false);
    }

    private static void add(JsonNode root, List<String> path, JsonNode value) {
        JsonNode parent = find(root, path.subList(0, path.size() - 1));
        String last = path.getLast();
        if (parent instanceof ArrayNode array) {
            if (last.equals("-")) {
                array.add(value);
            } else {
                array.insert(index(array, last, array.size()), value);
            }
        } else if (parent instanceof ObjectNode object) {
            object.set(last, value);
        } else {
            throw new PatchFailure("path does not exist: " + String.join("/", path), false);
        }
    }

    /** What is at a path; null for a member that an object lacks. */
    private static JsonNode present(JsonNode root, List<String> path) {
        JsonNode parent = find(root, path.subList(0, path.size() - 1));
        return parent.isObject() && !parent.has(path.getLast()) ? NullNode.getInstance() : find(root, path);
    }

    /** Sets a member of an object whether it was there or not, as servers do, against RFC 6902. */
    private static void replace(JsonNode root, List<String> path, JsonNode value) {
        JsonNode parent = find(root, path.subList(0, path.size() - 1));
        if (parent instanceof ArrayNode array) {
            array.set(index(array, path.getLast(), array.size() - 1), value);
        } else if (parent instanceof ObjectNode object) {
            object.set(path.getLast(), value);
        }
    }

    private static void remove(JsonNode root, List<String> path) {
        find(root, path);
        JsonNode parent = find(root, path.subList(0, path.size() - 1));
        if (parent instanceof ArrayNode array) {
            array.remove(index(array, path.getLast(), array.size() - 1));
        } else if (parent instanceof ObjectNode object) {
            object.remove(path.getLast());
        }
    }
}
