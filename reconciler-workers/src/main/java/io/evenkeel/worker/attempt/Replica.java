package io.evenkeel.worker.attempt;

import io.evenkeel.api.ObjectKey;
import io.evenkeel.reconciler.ResourceType;
import io.evenkeel.worker.object.ObjectMetadata;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What one attempt sees of the world: its snapshot, overlaid with what it writes. Used by the attempt's thread only.
 */
final class Replica {
    private final Map<String, LocalObject> secondaries = new TreeMap<>();
    private final Map<String, String> appliedHashes = new HashMap<>();
    private LocalObject primary;

    Replica(Snapshot snapshot) {
        this.primary = snapshot.primary();
        snapshot.secondaries().forEach(secondary -> secondaries.put(secondary.key(), secondary));
        snapshot.applied().forEach(applied -> appliedHashes.put(applied.key(), applied.uid() + ":" + applied.hash()));
    }

    LocalObject primary() {
        return primary;
    }

    void primary(LocalObject newer) {
        primary = newer;
    }

    Optional<LocalObject> find(String key) {
        return Optional.ofNullable(secondaries.get(key));
    }

    void put(LocalObject secondary) {
        secondaries.put(secondary.key(), secondary);
    }

    void remove(String key) {
        secondaries.remove(key);
    }

    /** The local state of a secondary, if an apply of that hash was the last one of this life. */
    Optional<LocalObject> lastApplied(String key, String hash) {
        return Optional.ofNullable(secondaries.get(key))
                .filter(local -> (local.uid() + ":" + hash).equals(appliedHashes.get(key)));
    }

    void applied(LocalObject secondary, String hash) {
        put(secondary);
        appliedHashes.put(secondary.key(), secondary.uid() + ":" + hash);
    }

    /** Secondaries of a kind, by key; of those that are owned, only of that life of the primary. */
    List<LocalObject> of(ResourceType type, Optional<String> owner) {
        var found = new ArrayList<LocalObject>();
        for (LocalObject secondary : secondaries.values()) {
            ObjectKey key = ObjectKey.parse(secondary.key());
            if (key.kind().equals(type.kind())
                    && key.group().equals(type.group())
                    && owner.map(uid -> isOwned(secondary, uid)).orElse(true)) {
                found.add(secondary);
            }
        }
        return found;
    }

    private static boolean isOwned(LocalObject secondary, String ownerUid) {
        return ObjectMetadata.of(secondary.json()).owners().stream()
                .anyMatch(owner -> owner.uid().equals(ownerUid));
    }
}
