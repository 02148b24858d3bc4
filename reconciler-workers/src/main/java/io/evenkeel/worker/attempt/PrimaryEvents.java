package io.evenkeel.worker.attempt;

import io.evenkeel.api.ObjectKey;
import io.evenkeel.api.json.Json;
import io.evenkeel.api.record.Write;
import io.evenkeel.reconciler.EventType;
import io.evenkeel.reconciler.ResourceType;
import io.evenkeel.worker.object.ObjectMetadata;
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

    /**
     * Says it, or says it once more.
     *
     * @return what was written
     * @throws io.fabric8.kubernetes.client.KubernetesClientException if the API server refuses
     */
    Write tell(EventType sort, String reason, String note, Instant now) throws InterruptedException {
        String namespace = key.namespace().isEmpty() ? "default" : key.namespace();
        String shortNote = EventText.note(note);
        String hash = JsonDifference.hash(uid + sort + reason + shortNote);
        String name = EventText.namePrefix(key.name()) + "." + hash;
        String time = now.truncatedTo(ChronoUnit.MICROS).toString();
        Optional<byte[]> before = api.get(EVENTS, namespace, name);
        if (before.isEmpty()) {
            ObjectNode event = event(sort, EventText.reason(reason), shortNote, time);
            event.putObject("metadata").put("name", name).put("namespace", namespace);
            byte[] created = api.create(EVENTS, namespace, event.toString(), controller);
            return write("create", namespace, name, created, event);
        }
        int count = Json.mapper()
                .readTree(before.get())
                .path("series")
                .path("count")
                .asInt(1);
        ObjectNode patch = Json.mapper().createObjectNode();
        patch.putObject("series").put("count", count + 1).put("lastObservedTime", time);
        byte[] merged = api.merge(EVENTS, namespace, name, "", patch.toString(), controller);
        return write("patch", namespace, name, merged, patch);
    }

    private Write write(String verb, String namespace, String name, byte[] answer, ObjectNode sent) {
        ObjectMetadata metadata = ObjectMetadata.of(answer);
        return new Write(
                verb,
                new ObjectKey(key.cluster(), EVENTS.group(), EVENTS.kind(), namespace, name).toString(),
                Optional.empty(),
                Optional.of(metadata.uid()),
                Optional.of(metadata.resourceVersion()),
                JsonDifference.hash(sent.toString()));
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
