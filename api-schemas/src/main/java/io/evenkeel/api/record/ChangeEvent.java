package io.evenkeel.api.record;

import io.evenkeel.api.ObjectKey;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * One change of one object, as it stands on the {@code events} topic (CloudEvents 1.0, binary mode).
 *
 * @param cluster id of the cluster
 * @param epoch 1 or more; grows when the cluster behind the id was restored or replaced, and resourceVersions start anew
 * @param group API group, empty for the core group
 * @param version API version in which the object was read, such as {@code v1}
 * @param kind such as {@code Deployment}
 * @param namespace empty for a cluster-scoped object
 * @param name the object's name
 * @param uid the object's uid: a re-created object has another
 * @param resourceVersion as the API server gave it; of a deletion, the version of the deletion where it is known
 * @param generation absent for kinds that have none
 * @param type what happened
 * @param origin how it became known
 * @param changed sections that differ from the version before ({@code spec}, {@code status}, {@code metadata.labels},
 *     {@code metadata.annotations}, {@code metadata.finalizers}, {@code metadata.ownerReferences},
 *     {@code metadata.deletionTimestamp}, {@code data}); all that are present for ADDED, empty for DELETED
 * @param finalStateKnown false for a deletion that was inferred from a list: such an event has no object
 * @param observedAt when the watcher read it, by its own clock
 * @param actors who wrote the object, from its {@code managedFields}
 * @param selection what the watch sees, if not everything: an ADDED may then be an object that came into the selection, a
 *     DELETED one that left it, unless {@link Selection#provesDeletion} says otherwise
 * @param object the object without {@code managedFields}, secrets as keyed hashes; absent if too large or unknown
 * @param objectOmitted why the object is absent, such as {@code too large (1843201 bytes)}
 */
public record ChangeEvent(
        String cluster,
        long epoch,
        String group,
        String version,
        String kind,
        String namespace,
        String name,
        String uid,
        String resourceVersion,
        Optional<Long> generation,
        ChangeType type,
        Origin origin,
        List<String> changed,
        boolean finalStateKnown,
        Instant observedAt,
        List<Actor> actors,
        Optional<Selection> selection,
        Optional<JsonNode> object,
        Optional<String> objectOmitted) {
    /** Takes copies of the lists. */
    public ChangeEvent {
        // Jackson reads a property that is not there as a null node, not as an absent one.
        object = object.filter(node -> !node.isNull());
        changed = List.copyOf(changed);
        actors = List.copyOf(actors);
    }

    /** The key under which the event lies on its topic. */
    public ObjectKey key() {
        return new ObjectKey(cluster, group, kind, namespace, name);
    }

    /** Deterministic id: a duplicate of this event has the same. */
    public String id() {
        return id(cluster, epoch, uid, resourceVersion, type);
    }

    /** {@code <cluster>:<epoch>:<uid>:<resourceVersion>:<type>}. */
    public static String id(String cluster, long epoch, String uid, String resourceVersion, ChangeType type) {
        return cluster + ":" + epoch + ":" + uid + ":" + resourceVersion + ":" + type;
    }
}
