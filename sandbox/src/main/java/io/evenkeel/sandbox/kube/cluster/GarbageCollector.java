package io.evenkeel.sandbox.kube.cluster;

import io.evenkeel.sandbox.kube.api.Resource;
import io.evenkeel.sandbox.kube.json.Json;
import io.evenkeel.sandbox.kube.store.Change;
import io.evenkeel.sandbox.kube.store.ObjectType;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Deletes objects whose owners are gone, and carries out foreground and orphaning deletions. Owners are told apart by
 * uid. Used by the thread of the controllers only.
 */
final class GarbageCollector implements Controllers.Controller {
    private static final String OWNERS = "\"ownerReferences\"";
    private static final String DELETION = "\"deletionTimestamp\"";
    private static final String MANAGER = "kube-controller-manager";

    private record Item(ObjectType type, String key) {}

    private final Objects objects;
    private final Map<String, Set<Item>> dependents = new HashMap<>();
    private final Map<Item, Set<String>> owners = new HashMap<>();
    /** Owners, by uid, that are deleted in the foreground and still have dependents. */
    private final Map<String, Item> waiting = new HashMap<>();

    GarbageCollector(Objects objects) {
        this.objects = objects;
    }

    @Override
    public void onChange(Change change) {
        Item item = new Item(change.type(), change.after().key());
        if (change.kind() == Change.Kind.DELETED) {
            deleted(item, change);
            return;
        }
        byte[] body = change.after().body();
        Set<String> uids = mentions(body, OWNERS) ? ownerUids(body) : Set.of();
        Set<String> before = index(item, uids);
        if (!uids.isEmpty() && !uids.equals(before)) {
            collect(item, "");
        }
        if (mentions(body, DELETION)) {
            finalizeOwner(item);
        }
    }

    /** Most objects have neither owners nor an end: they cost a look at their bytes and no parsing. */
    @Override
    public boolean concerns(Change change) {
        if (change.kind() == Change.Kind.DELETED) {
            return true;
        }
        byte[] after = change.after().body();
        return mentions(after, OWNERS)
                || mentions(after, DELETION)
                || change.before()
                        .map(before -> mentions(before.body(), OWNERS))
                        .orElse(false);
    }

    private static boolean mentions(byte[] body, String mark) {
        return new String(body, StandardCharsets.ISO_8859_1).contains(mark);
    }

    private void deleted(Item item, Change change) {
        Set<String> before = index(item, Set.of());
        if (!dependents.isEmpty()) {
            String uid = Json.text(Json.parse(change.after().body()), "metadata", "uid");
            for (Item dependent : Set.copyOf(dependents.getOrDefault(uid, Set.of()))) {
                collect(dependent, uid);
            }
        }
        before.forEach(this::continueForeground);
    }

    private static Set<String> ownerUids(byte[] body) {
        Set<String> uids = new LinkedHashSet<>();
        for (JsonNode reference : Json.parse(body).path("metadata").path("ownerReferences")) {
            uids.add(Json.text(reference, "uid"));
        }
        return uids;
    }

    /** Remembers the owners of an item and returns those it had before. */
    private Set<String> index(Item item, Set<String> uids) {
        Set<String> before = uids.isEmpty() ? owners.remove(item) : owners.put(item, uids);
        Set<String> known = before == null ? Set.of() : before;
        known.stream().filter(uid -> !uids.contains(uid)).forEach(uid -> {
            Set<Item> siblings = dependents.getOrDefault(uid, new LinkedHashSet<>());
            siblings.remove(item);
            if (siblings.isEmpty()) {
                dependents.remove(uid);
            }
        });
        uids.forEach(uid ->
                dependents.computeIfAbsent(uid, u -> new LinkedHashSet<>()).add(item));
        return known;
    }

    /**
     * Deletes the item if none of its owners lives; drops references to dead owners if some do.
     *
     * @param deadUid an owner that is known to be gone, so that it needs not be looked for: with the last of its kind its
     *     definition may be gone, too
     */
    private void collect(Item item, String deadUid) {
        Optional<ObjectNode> found = objects.find(item.type(), item.key());
        if (found.isEmpty()) {
            return;
        }
        ObjectNode object = found.get();
        ArrayNode living = Json.array();
        int dead = 0;
        for (JsonNode reference : object.path("metadata").path("ownerReferences")) {
            if (Json.text(reference, "uid").equals(deadUid) || isDead(reference, Objects.namespace(item.key()))) {
                dead++;
            } else {
                living.add(reference);
            }
        }
        if (dead == 0 || object.path("metadata").has("deletionTimestamp")) {
            return;
        }
        if (living.isEmpty()) {
            String uid = Json.text(object, "metadata", "uid");
            objects.delete(item.type(), item.key(), new Deleter.Demand(policy(object), Optional.empty(), uid, ""));
        } else {
            objects.modify(item.type(), item.key(), "", MANAGER, changed -> {
                Json.metadata(changed).set("ownerReferences", living);
                return changed;
            });
        }
    }

    private static String policy(ObjectNode object) {
        List<String> finalizers = finalizers(object);
        return finalizers.contains(Deleter.ORPHAN)
                ? "Orphan"
                : finalizers.contains(Deleter.FOREGROUND) ? "Foreground" : "Background";
    }

    private static List<String> finalizers(ObjectNode object) {
        return object.path("metadata")
                .path("finalizers")
                .valueStream()
                .map(Json::plain)
                .toList();
    }

    /** True if the owner is known not to exist; an owner of an unknown kind may exist. */
    private boolean isDead(JsonNode reference, String namespace) {
        Optional<Resource> resource =
                objects.resource(Json.text(reference, "apiVersion"), Json.text(reference, "kind"));
        if (resource.isEmpty() || (resource.get().namespaced() && namespace.isEmpty())) {
            return false;
        }
        String key = resource.get().key(namespace, Json.text(reference, "name"));
        return objects.find(resource.get().storage(), key)
                .map(owner -> !Json.text(owner, "metadata", "uid").equals(Json.text(reference, "uid")))
                .orElse(true);
    }

    /** Goes on with the deletion of an owner that waits for its dependents, or lets them go. */
    private void finalizeOwner(Item item) {
        Optional<ObjectNode> found = objects.find(item.type(), item.key());
        if (found.isEmpty() || !found.get().path("metadata").has("deletionTimestamp")) {
            return;
        }
        ObjectNode owner = found.get();
        String uid = Json.text(owner, "metadata", "uid");
        List<String> finalizers = finalizers(owner);
        Set<Item> children = Set.copyOf(dependents.getOrDefault(uid, Set.of()));
        if (finalizers.contains(Deleter.ORPHAN)) {
            children.forEach(child -> orphan(child, uid));
            removeFinalizer(item, Deleter.ORPHAN);
        } else if (finalizers.contains(Deleter.FOREGROUND)) {
            boolean blocked = false;
            for (Item child : children) {
                blocked |= deleteBefore(child, uid);
            }
            if (blocked) {
                waiting.put(uid, item);
            } else {
                waiting.remove(uid);
                removeFinalizer(item, Deleter.FOREGROUND);
            }
        }
    }

    /** Deletes a dependent in the foreground; true if its owner must wait for it. */
    private boolean deleteBefore(Item child, String ownerUid) {
        Optional<ObjectNode> found = objects.find(child.type(), child.key());
        if (found.isEmpty()) {
            return false;
        }
        ObjectNode dependent = found.get();
        if (!dependent.path("metadata").has("deletionTimestamp")) {
            boolean hasChildren = dependents.containsKey(Json.text(dependent, "metadata", "uid"));
            objects.delete(
                    child.type(),
                    child.key(),
                    new Deleter.Demand(
                            hasChildren ? "Foreground" : "Background",
                            Optional.empty(),
                            Json.text(dependent, "metadata", "uid"),
                            ""));
        }
        return objects.find(child.type(), child.key())
                .map(left -> left.path("metadata")
                        .path("ownerReferences")
                        .valueStream()
                        .anyMatch(reference -> Json.text(reference, "uid").equals(ownerUid)
                                && Json.truth(reference, "blockOwnerDeletion")))
                .orElse(false);
    }

    private void orphan(Item child, String ownerUid) {
        objects.modify(child.type(), child.key(), "", MANAGER, changed -> {
            ArrayNode kept = Json.array();
            changed.path("metadata").path("ownerReferences").forEach(reference -> {
                if (!Json.text(reference, "uid").equals(ownerUid)) {
                    kept.add(reference);
                }
            });
            Json.metadata(changed).remove("ownerReferences");
            if (!kept.isEmpty()) {
                Json.metadata(changed).set("ownerReferences", kept);
            }
            return changed;
        });
    }

    private void removeFinalizer(Item item, String finalizer) {
        objects.modify(item.type(), item.key(), "", MANAGER, changed -> {
            ArrayNode kept = Json.array();
            finalizers(changed).stream().filter(name -> !name.equals(finalizer)).forEach(kept::add);
            Json.metadata(changed).set("finalizers", kept);
            return changed;
        });
    }

    /** A dependent is gone: its owner may have waited for it. */
    private void continueForeground(String ownerUid) {
        Item owner = waiting.get(ownerUid);
        if (owner != null) {
            finalizeOwner(owner);
        }
    }
}
