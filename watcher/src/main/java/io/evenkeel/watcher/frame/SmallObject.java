package io.evenkeel.watcher.frame;

import io.evenkeel.api.json.Json;
import java.util.Arrays;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * The small answers around the objects, such as a Status or a list's metadata, as a tree.
 *
 * @param root the answer
 */
public record SmallObject(JsonNode root) {
    /** @throws MalformedFrameException if that is no JSON */
    public static SmallObject parse(byte[] json, int from, int to) {
        try {
            return new SmallObject(Json.mapper().readTree(Arrays.copyOfRange(json, from, to)));
        } catch (JacksonException e) {
            throw ObjectScanner.malformed(e);
        }
    }

    /** The text at a path, empty if there is none. */
    public String text(String... path) {
        JsonNode node = root;
        for (String part : path) {
            node = node.path(part);
        }
        return node.asString("");
    }

    /** Whether a Status gives this as one of its causes. */
    public boolean hasCause(String reason) {
        return root.path("details")
                .path("causes")
                .valueStream()
                .anyMatch(cause -> cause.path("reason").asString("").equals(reason));
    }

    /** The number in a field, 0 if there is none. */
    public int number(String field) {
        return root.path(field).asInt(0);
    }
}
