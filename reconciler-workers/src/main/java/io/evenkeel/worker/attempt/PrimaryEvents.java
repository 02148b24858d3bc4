package io.evenkeel.worker.attempt;

import io.evenkeel.api.ObjectKey;
import io.evenkeel.api.json.Json;
import io.evenkeel.reconciler.EventType;
import io.evenkeel.reconciler.ResourceType;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * Kubernetes Events about one primary. The name of an Event is made of what it says, so that saying it again meets the one that
 * is there: its series counts up then.
 */
final class PrimaryEvents {
    private static final ResourceType EVENTS = new ResourceType("events.k8s.io", "v1", "Event", "events", true);
    private static final int LONGEST_NOTE = 1_000;
    private static final int LONGEST_NAME = 200;

    private final KubernetesApi api;
    private final String controller;
    private final ResourceType type;
    private final ObjectKey key;
    private final String uid;

    PrimaryEvents(KubernetesApi api, String controller, ResourceType type, ObjectKey key, String uid) {
        this.api = api;
        this.controller = controller;
        this.type = type;
        this.key = key;
        this.uid = uid;
    }

    /** @throws io.fabric8.kubernetes.client.KubernetesClientException if the API server refuses */
    void tell(EventType sort, String reason, String note, Instant now) throws InterruptedException {
        String namespace = key.namespace().isEmpty() ? "default" : key.namespace();
        String shortNote = note.length() <= LONGEST_NOTE ? note : note.substring(0, LONGEST_NOTE);
        String hash = JsonDifference.hash(uid + sort + reason + shortNote);
        String name = key.name().substring(0, Math.min(LONGEST_NAME, key.name().length())) + "." + hash;
        String time = now.truncatedTo(ChronoUnit.MICROS).toString();
        Optional<byte[]> before = api.get(EVENTS, namespace, name);
        if (before.isEmpty()) {
            ObjectNode event = event(sort, reason, shortNote, time);
            event.putObject("metadata").put("name", name).put("namespace", namespace);
            api.create(EVENTS, namespace, event.toString());
            return;
        }
        int count = Json.mapper()
                .readTree(before.get())
                .path("series")
                .path("count")
                .asInt(1);
        ObjectNode patch = Json.mapper().createObjectNode();
        patch.putObject("series").put("count", count + 1).put("lastObservedTime", time);
        api.merge(EVENTS, namespace, name, "", patch.toString(), controller);
    }

    private ObjectNode event(EventType sort, String reason, String note, String time) {
        ObjectNode event = Json.mapper().createObjectNode();
        event.put("apiVersion", EVENTS.apiVersion())
                .put("kind", "Event")
                .put("eventTime", time)
                .put("reportingController", "evenkeel.io/" + controller)
                .put("reportingInstance", controller)
                .put("action", "Reconcile")
                .put("reason", reason)
                .put("type", sort.text())
                .put("note", note);
        ObjectNode regarding = event.putObject("regarding")
                .put("apiVersion", type.apiVersion())
                .put("kind", type.kind())
                .put("name", key.name())
                .put("uid", uid);
        if (!key.namespace().isEmpty()) {
            regarding.put("namespace", key.namespace());
        }
        return event;
    }
}
