package io.evenkeel.sandbox.kube.api;

import io.evenkeel.sandbox.kube.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** The part of JSONPath that printer columns use: fields, indexes, {@code [*]} and equality filters. Stateless. */
public final class JsonPath {
    private static final Pattern STEP = Pattern.compile(
            "\\.?\\[\\?\\(@\\.([\\w.\\-]+)\\s*==\\s*[\"']([^\"']*)[\"']\\)]" // filter
                    + "|\\[(\\*|-?\\d+)]" // index
                    + "|\\[['\"]([^'\"]+)['\"]]" // quoted field
                    + "|\\.((?:[^.\\[\\\\]|\\\\.)+)"); // field

    private JsonPath() {}

    /** All values at the path; an empty list where there are none or the path is not understood. */
    public static List<JsonNode> find(JsonNode root, String path) {
        List<JsonNode> current = List.of(root);
        Matcher step = STEP.matcher(path);
        int at = 0;
        while (at < path.length()) {
            if (!step.region(at, path.length()).lookingAt()) {
                return List.of();
            }
            List<JsonNode> next = new ArrayList<>();
            current.forEach(node -> descend(node, step, next));
            current = next;
            at = step.end();
        }
        return current;
    }

    private static void descend(JsonNode node, Matcher step, List<JsonNode> next) {
        if (step.group(1) != null) {
            String[] field = step.group(1).split("\\.", -1);
            node.forEach(item -> {
                if (Json.text(item, field).equals(step.group(2))) {
                    next.add(item);
                }
            });
        } else if (step.group(3) != null) {
            if (step.group(3).equals("*")) {
                node.forEach(next::add);
            } else {
                int index = Integer.parseInt(step.group(3));
                add(node.path(index < 0 ? node.size() + index : index), next);
            }
        } else {
            String quoted = step.group(4);
            add(node.path(quoted != null ? quoted : step.group(5).replace("\\", "")), next);
        }
    }

    private static void add(JsonNode found, List<JsonNode> next) {
        if (!found.isMissingNode() && !found.isNull()) {
            next.add(found);
        }
    }
}
