package io.evenkeel.sandbox.fault.rule;

import io.evenkeel.api.json.Json;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A refusal as Kubernetes words it.
 *
 * @param status of HTTP
 * @param reason one word that programs look at
 * @param message for people
 * @param cause one more word, as in {@code ResourceVersionTooLarge}
 * @param retryAfter after which time to come back
 */
public record KubeStatus(
        int status, String reason, String message, Optional<String> cause, Optional<Duration> retryAfter) {

    /** Of a fault. */
    public static KubeStatus of(String rule, Fault.Answer answer) {
        return new KubeStatus(
                answer.status(),
                answer.reason().orElseGet(() -> usualReason(answer.status())),
                "fault rule " + rule + " answers " + answer.status(),
                Optional.empty(),
                answer.retryAfter());
    }

    private static String usualReason(int status) {
        return switch (status) {
            case 400 -> "BadRequest";
            case 401 -> "Unauthorized";
            case 403 -> "Forbidden";
            case 404 -> "NotFound";
            case 405 -> "MethodNotAllowed";
            case 409 -> "Conflict";
            case 410 -> "Expired";
            case 413 -> "RequestEntityTooLarge";
            case 422 -> "Invalid";
            case 429 -> "TooManyRequests";
            case 500 -> "InternalError";
            case 503 -> "ServiceUnavailable";
            case 504 -> "Timeout";
            default -> "";
        };
    }

    /** What a Retry-After header says. */
    public Optional<Long> retryAfterSeconds() {
        return retryAfter.map(Duration::toSeconds);
    }

    /** The JSON object. */
    public Map<String, Object> object() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("kind", "Status");
        object.put("apiVersion", "v1");
        object.put("metadata", Map.of());
        object.put("status", "Failure");
        object.put("message", message);
        object.put("reason", reason);
        Map<String, Object> details = new LinkedHashMap<>();
        cause.ifPresent(word -> details.put("causes", List.of(Map.of("reason", word, "message", message))));
        retryAfterSeconds().ifPresent(seconds -> details.put("retryAfterSeconds", seconds));
        if (!details.isEmpty()) {
            object.put("details", details);
        }
        object.put("code", status);
        return object;
    }

    /** UTF-8 JSON. */
    public byte[] json() {
        return Json.write(object());
    }
}
