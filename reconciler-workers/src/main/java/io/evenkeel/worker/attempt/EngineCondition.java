package io.evenkeel.worker.attempt;

import io.evenkeel.api.json.Json;
import io.evenkeel.api.record.DeadLetter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The conditions that the engine itself keeps in {@code status.conditions} of a primary with which it does not get on:
 * {@code Parked}, and {@code Invalid} for an object that does not fit its schema or its class. Told from a user's conditions
 * of those names by their reasons.
 */
public final class EngineCondition {
    private static final String PARKED = "Parked";
    private static final String INVALID = "Invalid";
    private static final Set<String> PARKED_REASONS = Set.of("OutOfAttempts", "TerminalError");
    private static final String INVALID_REASON = "InvalidObject";
    private static final int LONGEST_MESSAGE = 4_096;

    private EngineCondition() {}

    /** Whether an object may hold one: a look at its bytes, cheaper than reading them. */
    static boolean mayHold(byte[] json) {
        String text = new String(json, StandardCharsets.ISO_8859_1);
        return text.contains("\"" + PARKED + "\"") || text.contains("\"" + INVALID + "\"");
    }

    /**
     * The change of a status that sets it; empty if it stands there already.
     *
     * @param conditions so far; may be missing
     * @param generation of the primary
     */
    public static Optional<ObjectNode> set(
            JsonNode conditions, DeadLetter.Reason parked, String message, long generation, Instant now) {
        String type = parked == DeadLetter.Reason.INVALID_OBJECT ? INVALID : PARKED;
        String reason = switch (parked) {
            case OUT_OF_ATTEMPTS -> "OutOfAttempts";
            case TERMINAL_ERROR -> "TerminalError";
            case INVALID_OBJECT -> INVALID_REASON;
        };
        String text = message.substring(0, Math.min(LONGEST_MESSAGE, message.length()));
        ArrayNode others = others(conditions);
        Optional<JsonNode> before = conditions
                .valueStream()
                .filter(condition ->
                        isOurs(condition) && condition.path("type").asString("").equals(type))
                .filter(condition -> condition.path("status").asString("").equals("True"))
                .findFirst();
        boolean stands = before.filter(
                        condition -> condition.path("reason").asString("").equals(reason)
                                && condition.path("message").asString("").equals(text)
                                && condition.path("observedGeneration").asLong(-1) == generation)
                .isPresent();
        if (stands) {
            return Optional.empty();
        }
        String since = before.map(
                        condition -> condition.path("lastTransitionTime").asString(""))
                .orElse(now.truncatedTo(ChronoUnit.SECONDS).toString());
        others.addObject()
                .put("type", type)
                .put("status", "True")
                .put("reason", reason)
                .put("message", text)
                .put("observedGeneration", generation)
                .put("lastTransitionTime", since);
        return Optional.of(patch(others));
    }

    /** The change of a status that takes it away; empty if it is not there. */
    static Optional<ObjectNode> without(JsonNode conditions) {
        return conditions.valueStream().anyMatch(EngineCondition::isOurs)
                ? Optional.of(patch(others(conditions)))
                : Optional.empty();
    }

    private static ArrayNode others(JsonNode conditions) {
        ArrayNode others = Json.mapper().createArrayNode();
        conditions.valueStream().filter(condition -> !isOurs(condition)).forEach(others::add);
        return others;
    }

    private static boolean isOurs(JsonNode condition) {
        String reason = condition.path("reason").asString("");
        return switch (condition.path("type").asString("")) {
            case PARKED -> PARKED_REASONS.contains(reason);
            case INVALID -> reason.equals(INVALID_REASON);
            default -> false;
        };
    }

    private static ObjectNode patch(ArrayNode conditions) {
        ObjectNode patch = Json.mapper().createObjectNode();
        patch.putObject("status").set("conditions", conditions);
        return patch;
    }
}
