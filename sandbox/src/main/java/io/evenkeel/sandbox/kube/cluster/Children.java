package io.evenkeel.sandbox.kube.cluster;

import io.evenkeel.sandbox.kube.json.Json;
import io.evenkeel.sandbox.kube.store.Change;
import io.evenkeel.sandbox.kube.store.ObjectType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What workload controllers have in common: finding the objects they made, and making them. Stateless. */
final class Children {
    static final String MANAGER = "kube-controller-manager";
    static final ObjectType PODS = new ObjectType("", "pods");
    private static final String HASH_LETTERS = "bcdfghjklmnpqrstvwxz2456789";

    private Children() {}

    /** The objects of a type whose controller is {@code owner}. */
    static List<ObjectNode> of(Objects objects, ObjectType type, ObjectNode owner) {
        String uid = Json.text(owner, "metadata", "uid");
        return objects.list(type, Json.text(owner, "metadata", "namespace")).stream()
                .filter(child -> controllerUid(child).equals(uid))
                .toList();
    }

    static String controllerUid(JsonNode child) {
        return controller(child).map(reference -> Json.text(reference, "uid")).orElse("");
    }

    static Optional<JsonNode> controller(JsonNode child) {
        return child.path("metadata")
                .path("ownerReferences")
                .valueStream()
                .filter(reference -> Json.truth(reference, "controller"))
                .findFirst();
    }

    /** Key of the object of that kind that controls what changed. */
    static Optional<String> controllerKey(Change change, String kind) {
        return controller(Json.parse(change.after().body()))
                .filter(owner -> Json.text(owner, "kind").equals(kind))
                .map(owner -> Objects.namespace(change.after().key()) + "/" + Json.text(owner, "name"));
    }

    static boolean isTerminating(JsonNode object) {
        return object.path("metadata").has("deletionTimestamp");
    }

    static boolean hasCondition(JsonNode object, String type) {
        return object.path("status")
                .path("conditions")
                .valueStream()
                .anyMatch(condition -> Json.text(condition, "type").equals(type)
                        && Json.text(condition, "status").equals("True"));
    }

    /** A new object in the owner's namespace, owned by it. */
    static ObjectNode ownedBy(ObjectNode owner) {
        ObjectNode child = Json.object();
        ObjectNode metadata = Json.metadata(child);
        metadata.put("namespace", Json.text(owner, "metadata", "namespace"));
        ArrayNode references = Json.array();
        references.add(Json.object()
                .put("apiVersion", Json.text(owner, "apiVersion"))
                .put("kind", Json.text(owner, "kind"))
                .put("name", Json.text(owner, "metadata", "name"))
                .put("uid", Json.text(owner, "metadata", "uid"))
                .put("controller", true)
                .put("blockOwnerDeletion", true));
        metadata.set("ownerReferences", references);
        return child;
    }

    /** A pod as the owner's template describes it, not yet named. */
    static ObjectNode pod(ObjectNode owner) {
        return pod(owner, owner.path("spec").path("template"));
    }

    static ObjectNode pod(ObjectNode owner, JsonNode template) {
        ObjectNode pod = ownedBy(owner);
        ObjectNode metadata = Json.metadata(pod);
        for (String field : List.of("labels", "annotations", "finalizers")) {
            Json.at(template, "metadata", field).ifPresent(value -> metadata.set(field, value.deepCopy()));
        }
        pod.set("spec", template.path("spec").deepCopy());
        return pod;
    }

    /** A short name for a pod template: equal templates have equal names. */
    static String hash(JsonNode template) {
        CRC32 crc = new CRC32();
        crc.update(template.toString().getBytes(StandardCharsets.UTF_8));
        StringBuilder name = new StringBuilder();
        for (long rest = crc.getValue() + 0x100000000L * 5; rest > 0 && name.length() < 10; rest /= 27) {
            name.append(HASH_LETTERS.charAt((int) (rest % 27)));
        }
        return name.toString();
    }

    /** Puts a number into a status; zero is absent, as in the Go types. */
    static void count(ObjectNode status, String field, long value) {
        if (value == 0) {
            status.remove(field);
        } else {
            status.put(field, value);
        }
    }

    /** Sets a condition; its transition time changes only with its status. */
    static void condition(ObjectNode status, String type, boolean holds, String reason, String message, String now) {
        ArrayNode conditions = status.get("conditions") instanceof ArrayNode present ? present : Json.array();
        ObjectNode condition = Json.object();
        for (JsonNode entry : conditions) {
            if (Json.text(entry, "type").equals(type) && entry instanceof ObjectNode found) {
                condition = found;
            }
        }
        String value = holds ? "True" : "False";
        boolean changed = !Json.text(condition, "status").equals(value);
        boolean updated = changed || !Json.text(condition, "reason").equals(reason);
        if (condition.isEmpty()) {
            conditions.add(condition);
        }
        condition.put("type", type).put("status", value).put("reason", reason).put("message", message);
        if (updated) {
            condition.put("lastUpdateTime", now);
        }
        if (changed) {
            condition.put("lastTransitionTime", now);
        }
        status.set("conditions", conditions);
    }
}
