package io.evenkeel.sandbox.kube.cluster;

import io.evenkeel.sandbox.kube.api.ApiFailure;
import io.evenkeel.sandbox.kube.api.Catalog;
import io.evenkeel.sandbox.kube.api.CustomResources;
import io.evenkeel.sandbox.kube.api.Resource;
import io.evenkeel.sandbox.kube.json.Json;
import io.evenkeel.sandbox.kube.store.ObjectType;
import io.evenkeel.sandbox.kube.store.Store;
import io.evenkeel.sandbox.kube.store.Stored;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes CustomResourceDefinitions effective: accepts their names, serves their resources, and withdraws them. Called
 * under the lock of the store.
 */
final class CustomDefinitions {
    static final ObjectType TYPE = new ObjectType("apiextensions.k8s.io", "customresourcedefinitions");
    static final String FINALIZER = "customresourcecleanup.apiextensions.k8s.io";

    private final Store store;
    private final Catalog catalog;
    private final Consumer<ObjectType> closeWatches;
    private final Map<String, JsonNode> specs = new ConcurrentHashMap<>();
    private final Set<String> ending = ConcurrentHashMap.newKeySet();
    private Consumer<ObjectNode> statusWriter = definition -> {};

    CustomDefinitions(Store store, Catalog catalog, Consumer<ObjectType> closeWatches) {
        this.store = store;
        this.catalog = catalog;
        this.closeWatches = closeWatches;
    }

    /** @param writer stores the status of a definition that was accepted */
    void reportTo(Consumer<ObjectNode> writer) {
        statusWriter = writer;
    }

    static void prepare(ObjectNode definition) {
        ObjectNode names = Json.child(Json.child(definition, "spec"), "names");
        String kind = Json.text(names, "kind");
        if (!names.has("listKind")) {
            names.put("listKind", kind + "List");
        }
        if (!names.has("singular")) {
            names.put("singular", kind.toLowerCase(Locale.ROOT));
        }
        ArrayNode stored = Json.array();
        for (JsonNode version : definition.path("spec").path("versions")) {
            if (Json.truth(version, "storage")) {
                stored.add(Json.text(version, "name"));
            }
        }
        ObjectNode status = Json.object();
        ObjectNode accepted = Json.object().put("kind", "").put("plural", "");
        status.set("acceptedNames", accepted);
        status.putNull("conditions");
        status.set("storedVersions", stored);
        definition.set("status", status);
    }

    /** The declared schema of a custom resource. */
    JsonNode schema(Resource resource) {
        JsonNode versions = specs.getOrDefault(resource.type().toString(), Json.object())
                .path("spec")
                .path("versions");
        for (JsonNode version : versions) {
            if (Json.text(version, "name").equals(resource.version())) {
                return version.path("schema").path("openAPIV3Schema");
            }
        }
        return Json.object();
    }

    void created(ObjectNode definition) {
        install(definition);
        ObjectNode accepted = definition.deepCopy();
        accept(accepted, Json.text(definition, "metadata", "creationTimestamp"));
        statusWriter.accept(accepted);
    }

    void updated(ObjectNode definition) {
        install(definition);
        if (definition.path("metadata").has("deletionTimestamp")) {
            ending.add(Json.text(definition, "metadata", "name"));
        }
    }

    /**
     * Refuses a new object of a custom resource whose definition is being deleted or gone: who found out what is asked may
     * have been overtaken by the deletion.
     */
    void checkOpen(Resource resource, String name) {
        if (ending.contains(resource.type().toString())) {
            throw ApiFailure.forbidden(
                    resource.type(), name, "create not allowed while custom resource definition is terminating");
        }
        if (!catalog.serves(resource)) {
            throw ApiFailure.noSuchResource();
        }
    }

    /** Serves what a stored definition declares; also used when a cluster is loaded. */
    void install(JsonNode definition) {
        String name = Json.text(definition, "metadata", "name");
        JsonNode before = specs.get(name);
        if (before == null || !Json.same(before.path("spec"), definition.path("spec"))) {
            specs.put(name, definition.deepCopy());
            catalog.install(name, CustomResources.of(definition));
        }
    }

    void deleted(ObjectNode definition) {
        String name = Json.text(definition, "metadata", "name");
        specs.remove(name);
        ending.remove(name);
        catalog.uninstall(name);
        closeWatches.accept(resources(definition));
    }

    static ObjectType resources(JsonNode definition) {
        return new ObjectType(Json.text(definition, "spec", "group"), Json.text(definition, "spec", "names", "plural"));
    }

    /** Installs all definitions of a store that was loaded. */
    void load() {
        for (Stored stored : store.list(TYPE, "").objects()) {
            updated(Json.parseObject(stored.body()));
        }
    }

    private static void accept(ObjectNode definition, String now) {
        ObjectNode status = Json.child(definition, "status");
        status.set("acceptedNames", definition.path("spec").path("names").deepCopy());
        ArrayNode conditions = Json.array();
        conditions.add(condition("NamesAccepted", "NoConflicts", "no conflicts found", now));
        conditions.add(condition("Established", "InitialNamesAccepted", "the initial names have been accepted", now));
        status.set("conditions", conditions);
    }

    /** Says in the status that objects are still being deleted. */
    static void terminating(ObjectNode definition, String now) {
        JsonNode conditions = definition.path("status").path("conditions");
        boolean known = conditions
                .valueStream()
                .anyMatch(condition -> Json.text(condition, "type").equals("Terminating"));
        if (!known && conditions instanceof ArrayNode list) {
            list.add(condition(
                    "Terminating", "InstanceDeletionInProgress", "CustomResource deletion is in progress", now));
        }
    }

    private static ObjectNode condition(String type, String reason, String message, String now) {
        return Json.object()
                .put("lastTransitionTime", now)
                .put("message", message)
                .put("reason", reason)
                .put("status", "True")
                .put("type", type);
    }
}
