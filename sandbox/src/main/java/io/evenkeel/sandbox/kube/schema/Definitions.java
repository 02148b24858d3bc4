package io.evenkeel.sandbox.kube.schema;

import io.evenkeel.sandbox.kube.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Named schemas that refer to each other, and the one place where references are resolved. Thread-safe. */
public final class Definitions {
    private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";

    /** Built-in definitions are shared by all clusters of a process. */
    private static final class Holder {
        static final Definitions BUILT_IN = new Definitions(withDefaults(resource("schemas.json")), true);
        static final ObjectNode PUBLISHED = resource("schemas.json");
    }

    private final ObjectNode components;
    private final boolean openEnded;
    private final Map<String, Schema> byName = new ConcurrentHashMap<>();
    private final Schema anything;

    private Definitions(ObjectNode components, boolean openEnded) {
        this.components = components;
        this.openEnded = openEnded;
        this.anything = new Schema(this, "", Json.object().put("x-kubernetes-preserve-unknown-fields", true));
    }

    /** The schemas of the kinds that every server has. */
    public static Definitions builtIn() {
        return Holder.BUILT_IN;
    }

    /** The same schemas as a server publishes them, without what this simulator adds. */
    public static ObjectNode published() {
        return Holder.PUBLISHED;
    }

    /** The schema of a custom resource: its own, with object metadata as every server adds it. */
    public static Schema custom(JsonNode openApiSchema) {
        ObjectNode root = (ObjectNode) openApiSchema.deepCopy();
        root.put("type", "object");
        ObjectNode properties = Json.child(root, "properties");
        properties.set("apiVersion", Json.object().put("type", "string"));
        properties.set("kind", Json.object().put("type", "string"));
        ObjectNode components = Json.object();
        for (String name : new String[] {"ObjectMeta", "OwnerReference", "ManagedFieldsEntry", "FieldsV1", "Time"}) {
            components.set(META + name, Holder.PUBLISHED.get(META + name).deepCopy());
        }
        Json.child(components, META + "FieldsV1").put("x-kubernetes-preserve-unknown-fields", true);
        properties.set("metadata", Json.object().put("$ref", "#/components/schemas/" + META + "ObjectMeta"));
        return new Definitions(components, false).of(root);
    }

    /** A schema that refers to no other. */
    static Schema alone(JsonNode schema) {
        return new Definitions(Json.object(), false).of(schema);
    }

    public Schema named(String name) {
        return byName.computeIfAbsent(
                name,
                wanted ->
                        new Schema(this, wanted, (ObjectNode) Objects.requireNonNull(components.get(wanted), wanted)));
    }

    /** Whether a type has a schema; one that lies inline in others has none of its own. */
    boolean knows(String name) {
        return components.has(name);
    }

    Schema anything() {
        return anything;
    }

    /** True if an object without declared fields is left alone, as for the Go types behind built-in kinds. */
    boolean isOpenEnded() {
        return openEnded;
    }

    /** Resolves {@code $ref}, directly or in an {@code allOf} of one with siblings such as a default. */
    Schema of(JsonNode node) {
        if (node.has("$ref")) {
            return named(target(node));
        }
        JsonNode all = node.path("allOf");
        if (all.size() == 1 && all.get(0).has("$ref")) {
            ObjectNode merged = (ObjectNode) components.get(target(all.get(0))).deepCopy();
            node.properties().stream()
                    .filter(p -> !p.getKey().equals("allOf"))
                    .forEach(p -> merged.set(p.getKey(), p.getValue()));
            return new Schema(this, target(all.get(0)), merged);
        }
        return new Schema(this, "", node instanceof ObjectNode object ? object : Json.object());
    }

    private static String target(JsonNode reference) {
        String path = Json.text(reference, "$ref");
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private static ObjectNode withDefaults(ObjectNode components) {
        for (Map.Entry<String, JsonNode> type : resource("defaults.json").properties()) {
            if (components.get(type.getKey()) instanceof ObjectNode schema) {
                schema.set("x-evenkeel-defaults", type.getValue());
            } else {
                throw new IllegalStateException("defaults.json names an unknown type: " + type.getKey());
            }
        }
        for (String opaque : new String[] {"io.k8s.apimachinery.pkg.runtime.RawExtension", META + "FieldsV1"}) {
            Json.child(components, opaque).put("x-evenkeel-atomic", true);
        }
        return components;
    }

    /** Reads a JSON object that lies beside {@code KubeSim} on the class path. */
    public static ObjectNode resource(String name) {
        return (ObjectNode) resourceTree(name);
    }

    public static JsonNode resourceTree(String name) {
        try (InputStream in = Definitions.class.getResourceAsStream("/io/evenkeel/sandbox/kube/" + name)) {
            return Json.parse(Objects.requireNonNull(in, name).readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
