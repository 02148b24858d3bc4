package io.evenkeel.sandbox.kube.api;

import io.evenkeel.sandbox.kube.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** A complete answer. Immutable; its bytes must not be changed. */
public final class ApiResponse {
    private static final String JSON = "application/json";

    private final int code;
    private final String contentType;
    private final byte[] body;
    private final List<String> warnings;

    /** @param warnings shown to the client beside the body */
    public ApiResponse(int code, String contentType, byte[] body, List<String> warnings) {
        this.code = code;
        this.contentType = contentType;
        this.body = body;
        this.warnings = List.copyOf(warnings);
    }

    public int code() {
        return code;
    }

    public String contentType() {
        return contentType;
    }

    public byte[] body() {
        return body;
    }

    public List<String> warnings() {
        return warnings;
    }

    public static ApiResponse json(int code, byte[] body) {
        return new ApiResponse(code, JSON, body, List.of());
    }

    public static ApiResponse json(int code, JsonNode body) {
        return json(code, Json.bytes(body));
    }

    public static ApiResponse failure(ApiFailure failure) {
        return json(failure.code(), failure.status()).withWarnings(failure.warnings());
    }

    public static ApiResponse text(int code, String text) {
        return new ApiResponse(code, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8), List.of());
    }

    public ApiResponse withWarnings(List<String> added) {
        return added.isEmpty() ? this : new ApiResponse(code, contentType, body, added);
    }
}
