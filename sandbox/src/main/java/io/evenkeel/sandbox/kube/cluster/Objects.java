package io.evenkeel.sandbox.kube.cluster;

import io.evenkeel.sandbox.kube.api.ApiFailure;
import io.evenkeel.sandbox.kube.api.Catalog;
import io.evenkeel.sandbox.kube.api.Resource;
import io.evenkeel.sandbox.kube.json.Json;
import io.evenkeel.sandbox.kube.store.ObjectType;
import io.evenkeel.sandbox.kube.store.Store;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import tools.jackson.databind.node.ObjectNode;

/** What the controllers inside a cluster use to read and write objects, each under a manager's name. */
final class Objects {
    private final Catalog catalog;
    private final Store store;
    private final Writer writer;
    private final Deleter deleter;

    Objects(Catalog catalog, Store store, Writer writer, Deleter deleter) {
        this.catalog = catalog;
        this.store = store;
        this.writer = writer;
        this.deleter = deleter;
    }

    Optional<Resource> resource(ObjectType type) {
        return catalog.stored(type);
    }

    /** The resource that an owner reference names. */
    Optional<Resource> resource(String apiVersion, String kind) {
        return catalog.findKind(apiVersion, kind);
    }

    Optional<ObjectNode> find(ObjectType type, String key) {
        return resource(type).flatMap(resource -> writer.find(resource, key));
    }

    List<ObjectNode> list(ObjectType type, String namespace) {
        return resource(type)
                .map(resource -> store.list(type, namespace.isEmpty() ? "" : namespace + "/").objects().stream()
                        .map(stored -> Bodies.open(resource, stored))
                        .toList())
                .orElse(List.of());
    }

    ObjectNode create(ObjectType type, String manager, ObjectNode object) {
        Resource resource = resource(type).orElseThrow();
        object.put("kind", resource.kind()).put("apiVersion", resource.apiVersion());
        Decoder.complete(resource, object);
        return store.exclusively(() -> writer.create(call(resource, key(object), "", manager), object));
    }

    /** Changes an object if it exists; {@code subresource} is empty or {@code status}. */
    void modify(ObjectType type, String key, String subresource, String manager, UnaryOperator<ObjectNode> change) {
        resource(type).ifPresent(resource -> writer.modify(call(resource, key, subresource, manager), change));
    }

    /** Deletes an object if it exists in the life that {@code demand} names. */
    void delete(ObjectType type, String key, Deleter.Demand demand) {
        try {
            resource(type).ifPresent(resource -> deleter.delete(call(resource, key, "", "kubesim"), demand));
        } catch (ApiFailure failure) {
            if (failure.code() != 404 && failure.code() != 409) {
                throw failure;
            }
            // Gone or re-created meanwhile: there is nothing left to delete.
        }
    }

    static String key(ObjectNode object) {
        String namespace = Json.text(object, "metadata", "namespace");
        String name = Json.text(object, "metadata", "name");
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }

    static String namespace(String key) {
        int slash = key.indexOf('/');
        return slash < 0 ? "" : key.substring(0, slash);
    }

    static String name(String key) {
        return key.substring(key.indexOf('/') + 1);
    }

    private static Call call(Resource resource, String key, String subresource, String manager) {
        return new Call(resource, namespace(key), name(key), subresource, Call.Options.internal(manager));
    }

    String now() {
        return writer.now();
    }

    List<ObjectType> types() {
        return store.types();
    }
}
