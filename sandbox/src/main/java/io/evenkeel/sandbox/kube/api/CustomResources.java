package io.evenkeel.sandbox.kube.api;

import io.evenkeel.sandbox.kube.json.Json;
import io.evenkeel.sandbox.kube.schema.Definitions;
import io.evenkeel.sandbox.kube.schema.Schema;
import io.evenkeel.sandbox.kube.store.ObjectType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Turns a CustomResourceDefinition into the resources that it serves. Stateless. */
public final class CustomResources {
    private static final List<String> VERBS =
            List.of("delete", "deletecollection", "get", "list", "patch", "create", "update", "watch");
    private static final List<String> SUBRESOURCE_VERBS = List.of("get", "patch", "update");

    private CustomResources() {}

    public static List<Resource> of(JsonNode definition) {
        JsonNode spec = definition.path("spec");
        JsonNode names = spec.path("names");
        ObjectType type = new ObjectType(Json.text(spec, "group"), Json.text(names, "plural"));
        String stored = spec.path("versions")
                .valueStream()
                .filter(version -> Json.truth(version, "storage"))
                .map(version -> Json.text(version, "name"))
                .findFirst()
                .orElse("");
        String kind = Json.text(names, "kind");
        List<Resource> resources = new ArrayList<>();
        for (JsonNode version : spec.path("versions")) {
            if (!Json.truth(version, "served")) {
                continue;
            }
            String name = Json.text(version, "name");
            resources.add(new Resource(
                    type,
                    type,
                    name,
                    stored,
                    kind,
                    Json.at(names, "listKind").map(Json::plain).orElse(kind + "List"),
                    Json.text(names, "singular"),
                    Json.text(spec, "scope").equals("Namespaced"),
                    VERBS,
                    BuiltIns.strings(names.path("shortNames")),
                    BuiltIns.strings(names.path("categories")),
                    subresources(type.group(), name, kind, version.path("subresources")),
                    schema(version),
                    false,
                    traits(type, version, name, kind),
                    columns(version.path("additionalPrinterColumns"))));
        }
        return resources;
    }

    private static Schema schema(JsonNode version) {
        JsonNode declared = version.path("schema").path("openAPIV3Schema");
        return Definitions.custom(
                declared.isObject()
                        ? declared
                        : Json.object().put("type", "object").put("x-kubernetes-preserve-unknown-fields", true));
    }

    private static Resource.Traits traits(ObjectType type, JsonNode version, String name, String kind) {
        String warning = "";
        if (Json.truth(version, "deprecated")) {
            warning = Json.at(version, "deprecationWarning")
                    .map(Json::plain)
                    .orElse(type.group() + "/" + name + " " + kind + " is deprecated");
        }
        Optional<Resource.ScalePaths> scale = Json.at(version, "subresources", "scale")
                .map(paths -> new Resource.ScalePaths(
                        Json.text(paths, "specReplicasPath"),
                        Json.text(paths, "statusReplicasPath"),
                        Json.text(paths, "labelSelectorPath")));
        List<String> selectable = version.path("selectableFields")
                .valueStream()
                .map(field -> Json.text(field, "jsonPath").substring(1))
                .toList();
        return new Resource.Traits(
                true, false, false, false, false, "subdomain", false, selectable, Map.of(), scale, warning);
    }

    private static Map<String, Resource.Subresource> subresources(
            String group, String version, String kind, JsonNode declared) {
        Map<String, Resource.Subresource> subresources = new LinkedHashMap<>();
        if (declared.has("status")) {
            subresources.put("status", new Resource.Subresource("status", group, version, kind, SUBRESOURCE_VERBS));
        }
        if (declared.has("scale")) {
            subresources.put(
                    "scale", new Resource.Subresource("scale", "autoscaling", "v1", "Scale", SUBRESOURCE_VERBS));
        }
        return subresources;
    }

    private static List<Resource.Column> columns(JsonNode declared) {
        List<Resource.Column> columns = new ArrayList<>();
        columns.add(new Resource.Column("Name", "string", "name", 0, ".metadata.name"));
        for (JsonNode column : declared) {
            columns.add(new Resource.Column(
                    Json.text(column, "name"),
                    Json.text(column, "type"),
                    Json.text(column, "format"),
                    (int) Json.number(column, 0, "priority"),
                    Json.text(column, "jsonPath")));
        }
        if (declared.isEmpty()) {
            columns.add(new Resource.Column("Age", "date", "", 0, ".metadata.creationTimestamp"));
        }
        return columns;
    }
}
