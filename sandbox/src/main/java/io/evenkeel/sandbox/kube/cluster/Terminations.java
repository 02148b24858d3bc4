package io.evenkeel.sandbox.kube.cluster;

import io.evenkeel.sandbox.kube.json.Json;
import io.evenkeel.sandbox.kube.store.Change;
import io.evenkeel.sandbox.kube.store.ObjectType;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Empties what is being deleted with its contents: namespaces, and the resources of a CustomResourceDefinition. Used by
 * the thread of the controllers only.
 */
final class Terminations implements Controllers.Controller {
    private static final ObjectType NAMESPACES = new ObjectType("", "namespaces");

    private final Objects objects;
    private final Set<String> terminatingNamespaces = new LinkedHashSet<>();
    private final Set<String> terminatingDefinitions = new LinkedHashSet<>();

    Terminations(Objects objects) {
        this.objects = objects;
    }

    @Override
    public void onChange(Change change) {
        String key = change.after().key();
        boolean deleted = change.kind() == Change.Kind.DELETED;
        if (change.type().equals(NAMESPACES)) {
            if (deleted) {
                terminatingNamespaces.remove(key);
            } else if (isTerminating(NAMESPACES, key)) {
                terminatingNamespaces.add(key);
                empty(key);
            }
        } else if (change.type().equals(CustomDefinitions.TYPE)) {
            if (deleted) {
                terminatingDefinitions.remove(key);
            } else if (isTerminating(CustomDefinitions.TYPE, key)) {
                terminatingDefinitions.add(key);
                withdraw(key);
            }
        } else if (deleted) {
            // What was terminating when this object went may have ended since, and another of its name have begun.
            String namespace = Objects.namespace(key);
            if (terminatingNamespaces.contains(namespace) && isTerminating(NAMESPACES, namespace)) {
                empty(namespace);
            }
            String definition = change.type().toString();
            if (terminatingDefinitions.contains(definition) && isTerminating(CustomDefinitions.TYPE, definition)) {
                withdraw(definition);
            }
        }
    }

    @Override
    public boolean concerns(Change change) {
        return change.kind() == Change.Kind.DELETED
                || change.type().equals(NAMESPACES)
                || change.type().equals(CustomDefinitions.TYPE);
    }

    private boolean isTerminating(ObjectType type, String key) {
        return objects.find(type, key)
                .map(object -> object.path("metadata").has("deletionTimestamp"))
                .orElse(false);
    }

    /** Deletes the contents of a namespace; when nothing is left, lets the namespace go. */
    private void empty(String namespace) {
        boolean left = false;
        for (ObjectType type : objects.types()) {
            for (ObjectNode object : namespaced(type) ? objects.list(type, namespace) : List.<ObjectNode>of()) {
                left |= !isGoneAfterDelete(type, object);
            }
        }
        if (!left) {
            objects.modify(NAMESPACES, namespace, "finalize", "kube-controller-manager", changed -> {
                Json.child(changed, "spec").remove("finalizers");
                return changed;
            });
        }
    }

    private boolean namespaced(ObjectType type) {
        return objects.resource(type).map(resource -> resource.namespaced()).orElse(false);
    }

    private boolean isGoneAfterDelete(ObjectType type, ObjectNode object) {
        String key = Objects.key(object);
        if (!object.path("metadata").has("deletionTimestamp")) {
            objects.delete(type, key, Deleter.Demand.background());
        }
        return objects.find(type, key).isEmpty();
    }

    private void withdraw(String definition) {
        ObjectNode found = objects.find(CustomDefinitions.TYPE, definition).orElseGet(Json::object);
        ObjectType type = CustomDefinitions.resources(found);
        boolean left = false;
        for (ObjectNode object : objects.list(type, "")) {
            left |= !isGoneAfterDelete(type, object);
        }
        if (left) {
            objects.modify(CustomDefinitions.TYPE, definition, "status", "kube-apiserver", changed -> {
                CustomDefinitions.terminating(changed, objects.now());
                return changed;
            });
        } else {
            objects.modify(CustomDefinitions.TYPE, definition, "", "kube-apiserver", changed -> {
                ArrayNode kept = Json.array();
                changed.path("metadata").path("finalizers").forEach(finalizer -> {
                    if (!Json.plain(finalizer).equals(CustomDefinitions.FINALIZER)) {
                        kept.add(finalizer);
                    }
                });
                Json.metadata(changed).set("finalizers", kept);
                return changed;
            });
        }
    }
}
