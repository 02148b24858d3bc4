package io.evenkeel.sandbox.kube.api;

import io.evenkeel.sandbox.kube.json.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The documents from which clients learn what a server has. */
public final class Discovery {
    private final Catalog catalog;

    public Discovery(Catalog catalog) {
        this.catalog = catalog;
    }

    /** {@code /version}. */
    public static ObjectNode version() {
        return Json.object()
                .put("major", "1")
                .put("minor", "36")
                .put("emulationMajor", "1")
                .put("emulationMinor", "36")
                .put("minCompatibilityMajor", "1")
                .put("minCompatibilityMinor", "35")
                .put("gitVersion", "v1.36.3")
                .put("gitCommit", "kubesim")
                .put("gitTreeState", "")
                .put("buildDate", "1970-01-01T00:00:00Z")
                .put("goVersion", "none")
                .put("compiler", "none")
                .put("platform", "linux/amd64");
    }

    /** {@code /api}. */
    public ObjectNode legacyVersions(String address) {
        ObjectNode versions = Json.object().put("kind", "APIVersions");
        versions.set("versions", Json.array().add("v1"));
        versions.set(
                "serverAddressByClientCIDRs",
                Json.array().add(Json.object().put("clientCIDR", "0.0.0.0/0").put("serverAddress", address)));
        return versions;
    }

    /** {@code /apis}. */
    public ObjectNode groups() {
        ArrayNode groups = Json.array();
        catalog.groups().keySet().stream().filter(name -> !name.isEmpty()).forEach(name -> groups.add(group(name)));
        ObjectNode list = Json.object().put("kind", "APIGroupList").put("apiVersion", "v1");
        list.set("groups", groups);
        return list;
    }

    /** {@code /apis/<group>}; empty if the group is not served. */
    public Optional<ObjectNode> groupDocument(String name) {
        if (!catalog.groups().containsKey(name)) {
            return Optional.empty();
        }
        ObjectNode document = Json.object().put("kind", "APIGroup").put("apiVersion", "v1");
        return Optional.of(document.setAll(group(name)));
    }

    private ObjectNode group(String name) {
        ArrayNode versions = Json.array();
        List<String> sorted = sortedVersions(catalog.groups().getOrDefault(name, Set.of()));
        sorted.forEach(version -> versions.add(groupVersion(name, version)));
        ObjectNode group = Json.object().put("name", name);
        group.set("versions", versions);
        group.set("preferredVersion", groupVersion(name, sorted.getFirst()));
        return group;
    }

    private static ObjectNode groupVersion(String group, String version) {
        return Json.object().put("groupVersion", group + "/" + version).put("version", version);
    }

    /** Kubernetes' order of versions: v2, v1, v1beta2, v1beta1, v1alpha1, then others by name. */
    static List<String> sortedVersions(Set<String> versions) {
        List<String> sorted = new ArrayList<>(versions);
        sorted.sort(Comparator.comparingLong(Discovery::rank).reversed().thenComparing(version -> version));
        return sorted;
    }

    private static long rank(String version) {
        var match = java.util.regex.Pattern.compile("v(\\d+)(?:(alpha|beta)(\\d+))?")
                .matcher(version);
        if (!match.matches()) {
            return -1;
        }
        long stability = match.group(2) == null ? 2 : match.group(2).equals("beta") ? 1 : 0;
        long minor = match.group(3) == null ? 0 : Long.parseLong(match.group(3));
        return stability * 1_000_000_000L + Long.parseLong(match.group(1)) * 100_000L + minor;
    }

    /** {@code /api/v1} or {@code /apis/<group>/<version>}; empty if it is not served. */
    public Optional<ObjectNode> resources(String group, String version) {
        List<Resource> served = catalog.in(group, version);
        if (served.isEmpty()) {
            return Optional.empty();
        }
        ArrayNode resources = Json.array();
        for (Resource resource : served) {
            ObjectNode entry = entry(resource.type().plural(), resource, resource.kind(), resource.verbs());
            entry.put("singularName", resource.singular());
            putNames(entry, resource);
            resources.add(entry);
            for (Resource.Subresource sub : resource.subresources().values()) {
                ObjectNode below =
                        entry(resource.type().plural() + "/" + sub.name(), resource, sub.kind(), sub.verbs());
                if (!sub.group().equals(group) || !sub.version().equals(version)) {
                    below.put("group", sub.group()).put("version", sub.version());
                }
                resources.add(below);
            }
        }
        ObjectNode list = Json.object().put("kind", "APIResourceList");
        if (!group.isEmpty()) {
            list.put("apiVersion", "v1");
        }
        list.put("groupVersion", group.isEmpty() ? version : group + "/" + version);
        list.set("resources", resources);
        return Optional.of(list);
    }

    private static ObjectNode entry(String name, Resource resource, String kind, List<String> verbs) {
        ObjectNode entry = Json.object()
                .put("name", name)
                .put("singularName", "")
                .put("namespaced", resource.namespaced())
                .put("kind", kind);
        entry.set("verbs", array(verbs));
        return entry;
    }

    private static void putNames(ObjectNode entry, Resource resource) {
        if (!resource.shortNames().isEmpty()) {
            entry.set("shortNames", array(resource.shortNames()));
        }
        if (!resource.categories().isEmpty()) {
            entry.set("categories", array(resource.categories()));
        }
    }

    private static ArrayNode array(List<String> values) {
        ArrayNode array = Json.array();
        values.forEach(array::add);
        return array;
    }

    /** The aggregated document for {@code /api} (core group only) or {@code /apis} (all other groups). */
    public ObjectNode aggregated(boolean core) {
        ArrayNode items = Json.array();
        for (String group : catalog.groups().keySet()) {
            if (group.isEmpty() != core) {
                continue;
            }
            ObjectNode item = Json.object();
            ObjectNode metadata = Json.object();
            if (!group.isEmpty()) {
                metadata.put("name", group);
            }
            item.set("metadata", metadata);
            ArrayNode versions = Json.array();
            for (String version : sortedVersions(catalog.groups().getOrDefault(group, Set.of()))) {
                ArrayNode resources = Json.array();
                catalog.in(group, version).forEach(resource -> resources.add(aggregated(resource)));
                ObjectNode entry = Json.object().put("version", version);
                entry.set("resources", resources);
                versions.add(entry.put("freshness", "Current"));
            }
            item.set("versions", versions);
            items.add(item);
        }
        ObjectNode list =
                Json.object().put("kind", "APIGroupDiscoveryList").put("apiVersion", "apidiscovery.k8s.io/v2");
        list.set("metadata", Json.object());
        list.set("items", items);
        return list;
    }

    private static ObjectNode aggregated(Resource resource) {
        ObjectNode entry = Json.object().put("resource", resource.type().plural());
        entry.set("responseKind", kind(resource.type().group(), resource.version(), resource.kind()));
        entry.put("scope", resource.namespaced() ? "Namespaced" : "Cluster");
        entry.put("singularResource", resource.singular());
        entry.set("verbs", array(resource.verbs()));
        putNames(entry, resource);
        if (!resource.subresources().isEmpty()) {
            ArrayNode below = Json.array();
            resource.subresources().values().forEach(sub -> {
                ObjectNode subresource = Json.object().put("subresource", sub.name());
                subresource.set("responseKind", kind(sub.group(), sub.version(), sub.kind()));
                subresource.set("verbs", array(sub.verbs()));
                below.add(subresource);
            });
            entry.set("subresources", below);
        }
        return entry;
    }

    private static ObjectNode kind(String group, String version, String kind) {
        return Json.object().put("group", group).put("version", version).put("kind", kind);
    }
}
