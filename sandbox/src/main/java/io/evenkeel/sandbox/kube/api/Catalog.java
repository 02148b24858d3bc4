package io.evenkeel.sandbox.kube.api;

import io.evenkeel.sandbox.kube.store.ObjectType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** All resources that a cluster serves at a moment. Thread-safe; readers see a whole state. */
public final class Catalog {
    private record Snapshot(
            Map<String, Resource> byPath, Map<ObjectType, Resource> byStorage, Map<String, Set<String>> groups) {}

    private final Map<String, List<Resource>> custom = new TreeMap<>();
    private volatile Snapshot current;

    public Catalog() {
        current = snapshot();
    }

    /** Serves the resources of a CRD from now on, in place of what it served before. */
    public synchronized void install(String definitionName, List<Resource> resources) {
        custom.put(definitionName, List.copyOf(resources));
        current = snapshot();
    }

    public synchronized void uninstall(String definitionName) {
        custom.remove(definitionName);
        current = snapshot();
    }

    private Snapshot snapshot() {
        Map<String, Resource> byPath = new LinkedHashMap<>();
        Map<ObjectType, Resource> byStorage = new LinkedHashMap<>();
        Map<String, Set<String>> groups = new LinkedHashMap<>();
        List<Resource> all = new ArrayList<>(BuiltIns.resources());
        custom.values().forEach(all::addAll);
        for (Resource resource : all) {
            byPath.put(
                    path(
                            resource.type().group(),
                            resource.version(),
                            resource.type().plural()),
                    resource);
            Resource stored = byStorage.get(resource.storage());
            if (stored == null || (resource.version().equals(resource.storedVersion()) && !resource.builtIn())) {
                byStorage.put(resource.storage(), resource);
            }
            groups.computeIfAbsent(resource.type().group(), g -> new LinkedHashSet<>())
                    .add(resource.version());
        }
        return new Snapshot(byPath, byStorage, groups);
    }

    private static String path(String group, String version, String plural) {
        return group + "/" + version + "/" + plural;
    }

    public Optional<Resource> find(String group, String version, String plural) {
        return Optional.ofNullable(current.byPath().get(path(group, version, plural)));
    }

    /** Whether a resource, found earlier, is still there. */
    public boolean serves(Resource resource) {
        return find(resource.type().group(), resource.version(), resource.type().plural())
                .isPresent();
    }

    /** The resource of a kind as an owner reference names it. */
    public Optional<Resource> findKind(String apiVersion, String kind) {
        return current.byPath().values().stream()
                .filter(resource -> resource.apiVersion().equals(apiVersion)
                        && resource.kind().equals(kind))
                .findFirst();
    }

    /** The resource in whose version the store keeps the objects of a type. */
    public Optional<Resource> stored(ObjectType storage) {
        return Optional.ofNullable(current.byStorage().get(storage));
    }

    public Collection<Resource> all() {
        return current.byPath().values();
    }

    /** The served versions by group, the core group under an empty name. */
    public Map<String, Set<String>> groups() {
        return current.groups();
    }

    /** The resources of one group and version; empty if it is not served. */
    public List<Resource> in(String group, String version) {
        return current.byPath().values().stream()
                .filter(resource -> resource.type().group().equals(group)
                        && resource.version().equals(version))
                .toList();
    }
}
