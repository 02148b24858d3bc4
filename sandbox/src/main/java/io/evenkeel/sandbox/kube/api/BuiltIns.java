package io.evenkeel.sandbox.kube.api;

import io.evenkeel.sandbox.kube.json.Json;
import io.evenkeel.sandbox.kube.schema.Definitions;
import io.evenkeel.sandbox.kube.store.ObjectType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** The resources that every server has, read once per process from the data beside {@code KubeSim}. */
public final class BuiltIns {
    /** Initialised by the first use. */
    private static final class Holder {
        static final List<Resource> RESOURCES = load();
        static final Set<String> GROUPS =
                RESOURCES.stream().map(resource -> resource.type().group()).collect(Collectors.toSet());
        static final Set<String> LEFT_OUT = leftOut();
    }

    private BuiltIns() {}

    public static List<Resource> resources() {
        return Holder.RESOURCES;
    }

    /**
     * True for what a real server has and this one leaves out.
     *
     * @param name of a resource, with its subresource if there is one, for example {@code pods/log}
     */
    public static boolean leavesOut(String group, String version, String name) {
        return Holder.LEFT_OUT.contains((group.isEmpty() ? version : group + "/" + version) + "/" + name);
    }

    private static Set<String> leftOut() {
        return Definitions.resource("left-out.json").properties().stream()
                .flatMap(entry -> strings(entry.getValue()).stream().map(name -> entry.getKey() + "/" + name))
                .collect(Collectors.toSet());
    }

    /** Whether a server has a group before any is defined. */
    public static boolean hasGroup(String group) {
        return Holder.GROUPS.contains(group);
    }

    private static List<Resource> load() {
        JsonNode traits = Definitions.resourceTree("traits.json");
        JsonNode columns = Definitions.resourceTree("columns.json");
        List<Resource> resources = new ArrayList<>();
        for (JsonNode entry : Definitions.resourceTree("resources.json")) {
            ObjectType type = new ObjectType(Json.text(entry, "group"), Json.text(entry, "plural"));
            String kind = Json.text(entry, "kind");
            String version = Json.text(entry, "version");
            String storage = Json.text(traits, "storedAs", type.toString());
            resources.add(new Resource(
                    type,
                    storage.isEmpty() ? type : new ObjectType("", storage),
                    version,
                    version,
                    kind,
                    kind + "List",
                    Json.text(entry, "singular"),
                    Json.truth(entry, "namespaced"),
                    strings(entry.path("verbs")),
                    strings(entry.path("shortNames")),
                    strings(entry.path("categories")),
                    subresources(entry.path("subresources")),
                    Definitions.builtIn().named(Json.text(entry, "schema")),
                    true,
                    traits(traits, type, entry),
                    columns(columns.has(type.toString()) ? columns.get(type.toString()) : columns.path(""))));
        }
        return List.copyOf(resources);
    }

    private static Resource.Traits traits(JsonNode traits, ObjectType type, JsonNode entry) {
        String name = type.toString();
        Map<String, String> renames = new LinkedHashMap<>();
        traits.path("renames")
                .path(name)
                .properties()
                .forEach(rename -> renames.put(rename.getKey(), Json.plain(rename.getValue())));
        boolean scale = entry.path("subresources")
                .valueStream()
                .anyMatch(sub -> Json.text(sub, "name").equals("scale"));
        return new Resource.Traits(
                strings(traits.path("generation")).contains(name),
                !strings(traits.path("conditionalUpdate")).contains(name),
                strings(traits.path("createOnUpdate")).contains(name),
                strings(traits.path("shownWhenDeleted")).contains(name),
                strings(traits.path("orphanByDefault")).contains(name),
                strings(traits.path("labelNames")).contains(name)
                        ? "label"
                        : strings(traits.path("pathNames")).contains(name) ? "path" : "subdomain",
                !strings(traits.path("freeFinalizers")).contains(name),
                strings(traits.path("selectableFields").path(name)),
                renames,
                scale
                        ? Optional.of(new Resource.ScalePaths(".spec.replicas", ".status.replicas", ".spec.selector"))
                        : Optional.empty(),
                "");
    }

    private static Map<String, Resource.Subresource> subresources(JsonNode entries) {
        Map<String, Resource.Subresource> subresources = new LinkedHashMap<>();
        for (JsonNode entry : entries) {
            String name = Json.text(entry, "name");
            subresources.put(
                    name,
                    new Resource.Subresource(
                            name,
                            Json.text(entry, "group"),
                            Json.text(entry, "version"),
                            Json.text(entry, "kind"),
                            strings(entry.path("verbs"))));
        }
        return subresources;
    }

    private static List<Resource.Column> columns(JsonNode rows) {
        return rows.valueStream()
                .map(row -> new Resource.Column(
                        Json.plain(row.get(0)),
                        Json.plain(row.get(1)),
                        Json.plain(row.get(0)).equals("Name") ? "name" : "",
                        row.get(2).intValue(),
                        Json.plain(row.get(3))))
                .toList();
    }

    static List<String> strings(JsonNode array) {
        return array.valueStream().map(Json::plain).toList();
    }
}
