package io.evenkeel.sandbox.kube.cluster;

import io.evenkeel.sandbox.kube.api.Resource;
import io.evenkeel.sandbox.kube.json.Json;
import io.evenkeel.sandbox.kube.store.Stored;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Translates between what is stored and what a version of the API shows. Stateless. */
public final class Bodies {
    private Bodies() {}

    /** The stored object as a tree in the version of {@code resource}. */
    public static ObjectNode open(Resource resource, Stored stored) {
        ObjectNode object = Json.object().put("kind", resource.kind()).put("apiVersion", resource.apiVersion());
        Map<String, String> renames = resource.traits().renames();
        for (Map.Entry<String, JsonNode> field : Json.parseObject(stored.body()).properties()) {
            object.set(renames.getOrDefault(field.getKey(), field.getKey()), field.getValue());
        }
        return object;
    }

    /** The bytes to store for an object in the version of {@code resource}, at a revision. */
    static byte[] close(Resource resource, ObjectNode object, long revision) {
        Json.metadata(object).put("resourceVersion", Long.toString(revision));
        ObjectNode body = Json.object();
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            if (!field.getKey().equals("kind") && !field.getKey().equals("apiVersion")) {
                body.set(storedName(resource, field.getKey()), field.getValue());
            }
        }
        return Json.bytes(body);
    }

    private static String storedName(Resource resource, String shown) {
        return resource.traits().renames().entrySet().stream()
                .filter(rename -> rename.getValue().equals(shown))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(shown);
    }

    /** The same last state under the revision of its deletion. */
    static byte[] atRevision(Stored stored, long revision) {
        ObjectNode body = Json.parseObject(stored.body());
        Json.metadata(body).put("resourceVersion", Long.toString(revision));
        return Json.bytes(body);
    }

    /** The start of every object of a resource, up to its first own field. */
    static byte[] head(Resource resource) {
        return ("{\"kind\":\"" + resource.kind() + "\",\"apiVersion\":\"" + resource.apiVersion() + "\",")
                .getBytes(StandardCharsets.UTF_8);
    }

    /** The object as JSON in the version of {@code resource}, without building a tree where that is not needed. */
    public static byte[] show(Resource resource, Stored stored) {
        if (!resource.traits().renames().isEmpty()) {
            return Json.bytes(open(resource, stored));
        }
        byte[] head = head(resource);
        byte[] body = stored.body();
        byte[] shown = new byte[head.length + body.length - 1];
        System.arraycopy(head, 0, shown, 0, head.length);
        System.arraycopy(body, 1, shown, head.length, body.length - 1);
        return shown;
    }
}
