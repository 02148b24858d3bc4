package io.evenkeel.worker.task;

import io.evenkeel.api.json.Json;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** An object's JSON, decoded for whoever asks, once for each class. Used by one thread. */
final class Decoded {
    private final KubernetesSerialization serialization;
    private final byte[] json;
    private final Map<Class<?>, Object> byType = new HashMap<>();

    Decoded(KubernetesSerialization serialization, byte[] json) {
        this.serialization = serialization;
        this.json = json;
    }

    JsonNode tree() {
        return (JsonNode)
                byType.computeIfAbsent(JsonNode.class, type -> Json.mapper().readTree(json));
    }

    <T extends HasMetadata> T as(Class<T> type) {
        return type.cast(byType.computeIfAbsent(
                type, absent -> serialization.unmarshal(new String(json, StandardCharsets.UTF_8), type)));
    }

    /** A label or annotation; empty if there is none. */
    String metadata(String section, String key) {
        return tree().path("metadata").path(section).path(key).asString("");
    }
}
