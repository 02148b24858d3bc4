package io.evenkeel.worker.attempt;

import io.evenkeel.api.json.Json;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Compares JSON trees. */
final class JsonDifference {
    private static final int HASH_BYTES = 12;

    private JsonDifference() {}

    /** The JSON merge patch (RFC 7396) that turns {@code from} into {@code to}; empty if they are equal. */
    static Optional<ObjectNode> mergePatch(JsonNode from, JsonNode to) {
        ObjectNode patch = Json.mapper().createObjectNode();
        to.properties().forEach(field -> {
            JsonNode before = from.path(field.getKey());
            JsonNode after = field.getValue();
            if (before.isObject() && after.isObject()) {
                mergePatch(before, after).ifPresent(inner -> patch.set(field.getKey(), inner));
            } else if (!isEqual(before, after)) {
                patch.set(field.getKey(), after);
            }
        });
        from.properties().forEach(field -> {
            if (!to.has(field.getKey())) {
                patch.putNull(field.getKey());
            }
        });
        return patch.isEmpty() ? Optional.empty() : Optional.of(patch);
    }

    /** What a JSON merge patch (RFC 7396) makes of {@code from}; a copy. */
    static JsonNode patched(JsonNode from, JsonNode patch) {
        if (!patch.isObject()) {
            return patch;
        }
        ObjectNode result =
                from.isObject() ? (ObjectNode) from.deepCopy() : Json.mapper().createObjectNode();
        patch.properties().forEach(field -> {
            if (field.getValue().isNull()) {
                result.remove(field.getKey());
            } else {
                result.set(field.getKey(), patched(result.path(field.getKey()), field.getValue()));
            }
        });
        return result;
    }

    /**
     * Whether {@code observed} shows everything that {@code desired} says. Lists must be equal in length, their elements
     * are compared in order: a list that the server merges by key may look different, which only costs a request.
     */
    static boolean shows(JsonNode observed, JsonNode desired) {
        if (desired.isObject()) {
            return observed.isObject()
                    && desired.properties().stream()
                            .allMatch(field -> shows(observed.path(field.getKey()), field.getValue()));
        }
        if (desired.isArray()) {
            if (!observed.isArray() || observed.size() != desired.size()) {
                return false;
            }
            for (int i = 0; i < desired.size(); i++) {
                if (!shows(observed.get(i), desired.get(i))) {
                    return false;
                }
            }
            return true;
        }
        return isEqual(observed, desired);
    }

    /** Whether a JSON merge patch (RFC 7396) would change nothing. */
    static boolean isPatched(JsonNode observed, JsonNode patch) {
        if (!patch.isObject()) {
            return isEqual(observed, patch);
        }
        return patch.properties().stream().allMatch(field -> {
            JsonNode before = observed.path(field.getKey());
            return field.getValue().isNull() ? before.isMissingNode() : isPatched(before, field.getValue());
        });
    }

    /** A short hash of what is sent. */
    static String hash(String json) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(json.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Numbers are equal by value: Java may hold a long where the parser made an int. */
    private static boolean isEqual(JsonNode first, JsonNode second) {
        if (first.isNumber() && second.isNumber()) {
            return first.decimalValue().compareTo(second.decimalValue()) == 0;
        }
        return first.equals(second);
    }
}
