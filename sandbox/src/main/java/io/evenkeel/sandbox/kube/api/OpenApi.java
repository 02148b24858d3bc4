package io.evenkeel.sandbox.kube.api;

import io.evenkeel.sandbox.kube.json.Json;
import io.evenkeel.sandbox.kube.schema.Definitions;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The documents under {@code /openapi/v3}, with what kubectl reads there: schemas, kinds, query parameters. */
public final class OpenApi {
    private static final String REFERENCE = "#/components/schemas/";
    private static final List<String> WRITE_PARAMETERS = List.of("dryRun", "fieldManager", "fieldValidation", "force");

    private final Catalog catalog;
    private final Function<Resource, JsonNode> customSchemas;

    /** @param customSchemas finds the declared schema of a custom resource */
    public OpenApi(Catalog catalog, Function<Resource, JsonNode> customSchemas) {
        this.catalog = catalog;
        this.customSchemas = customSchemas;
    }

    public ObjectNode index() {
        ObjectNode paths = Json.object();
        TreeSet<String> served = new TreeSet<>();
        catalog.groups().forEach((group, versions) -> versions.forEach(version -> served.add(path(group, version))));
        // Clients keep a document as long as its address stays: the address changes with what is served.
        String marker = Integer.toHexString(catalog.all().stream()
                .map(resource -> customSchemas.apply(resource).toString() + resource.apiVersion() + resource.kind())
                .toList()
                .hashCode());
        served.forEach(path ->
                paths.set(path, Json.object().put("serverRelativeURL", "/openapi/v3/" + path + "?hash=" + marker)));
        ObjectNode index = Json.object();
        index.set("paths", paths);
        return index;
    }

    private static String path(String group, String version) {
        return group.isEmpty() ? "api/" + version : "apis/" + group + "/" + version;
    }

    /** The document of one group and version; empty if it is not served. */
    public Optional<ObjectNode> document(String group, String version) {
        List<Resource> resources = catalog.in(group, version);
        if (resources.isEmpty()) {
            return Optional.empty();
        }
        ObjectNode paths = Json.object();
        ObjectNode schemas = Json.object();
        for (Resource resource : resources) {
            String name = schemaName(resource);
            if (resource.builtIn()) {
                include(name, schemas);
            } else {
                includeCustom(resource, name, schemas);
            }
            describePaths(resource, name, paths);
        }
        include("io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions", schemas);
        ObjectNode components = Json.object();
        components.set("schemas", schemas);
        ObjectNode document = Json.object().put("openapi", "3.0.0");
        document.set("info", Json.object().put("title", "Kubernetes").put("version", "v1.36.3"));
        document.set("paths", paths);
        document.set("components", components);
        return Optional.of(document);
    }

    private static String schemaName(Resource resource) {
        if (!resource.builtIn()) {
            List<String> labels =
                    new java.util.ArrayList<>(List.of(resource.type().group().split("\\.", -1)));
            java.util.Collections.reverse(labels);
            return String.join(".", labels) + "." + resource.version() + "." + resource.kind();
        }
        for (var schema : Definitions.published().properties()) {
            for (JsonNode kind : schema.getValue().path("x-kubernetes-group-version-kind")) {
                if (Json.text(kind, "kind").equals(resource.kind())
                        && Json.text(kind, "group").equals(resource.type().group())
                        && Json.text(kind, "version").equals(resource.version())) {
                    return schema.getKey();
                }
            }
        }
        throw new IllegalStateException("no schema for " + resource);
    }

    /** Copies a definition and everything that it refers to. */
    private static void include(String name, ObjectNode schemas) {
        JsonNode schema = Definitions.published().get(name);
        if (schema == null || schemas.has(name)) {
            return;
        }
        schemas.set(name, schema);
        includeReferences(schema, schemas);
    }

    private static void includeReferences(JsonNode node, ObjectNode schemas) {
        String reference = node.isObject() && node.path("$ref").isString() ? Json.text(node, "$ref") : "";
        if (reference.startsWith(REFERENCE)) {
            include(reference.substring(REFERENCE.length()), schemas);
        }
        node.forEach(child -> includeReferences(child, schemas));
    }

    private void includeCustom(Resource resource, String name, ObjectNode schemas) {
        ObjectNode schema = (ObjectNode) customSchemas.apply(resource).deepCopy();
        ObjectNode properties = Json.child(schema, "properties");
        String meta = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
        properties.set("apiVersion", Json.object().put("type", "string"));
        properties.set("kind", Json.object().put("type", "string"));
        ObjectNode metadata = Json.object();
        metadata.set("allOf", Json.array().add(Json.object().put("$ref", REFERENCE + meta)));
        properties.set("metadata", metadata);
        schema.set("x-kubernetes-group-version-kind", Json.array().add(kind(resource)));
        schemas.set(name, schema);
        include(meta, schemas);
    }

    private static ObjectNode kind(Resource resource) {
        return Json.object()
                .put("group", resource.type().group())
                .put("kind", resource.kind())
                .put("version", resource.version());
    }

    private static void describePaths(Resource resource, String schema, ObjectNode paths) {
        String base = "/" + path(resource.type().group(), resource.version()) + "/"
                + (resource.namespaced() ? "namespaces/{namespace}/" : "")
                + resource.type().plural();
        ObjectNode collection = Json.object();
        collection.set("get", operation(resource, schema, "list", List.of()));
        collection.set("post", operation(resource, schema, "post", WRITE_PARAMETERS.subList(0, 3)));
        paths.set(base, collection);
        ObjectNode item = Json.object();
        item.set("get", operation(resource, schema, "get", List.of()));
        item.set("put", operation(resource, schema, "put", WRITE_PARAMETERS.subList(0, 3)));
        item.set("patch", operation(resource, schema, "patch", WRITE_PARAMETERS));
        item.set("delete", operation(resource, schema, "delete", List.of("dryRun")));
        paths.set(base + "/{name}", item);
    }

    private static ObjectNode operation(Resource resource, String schema, String action, List<String> parameters) {
        ArrayNode described = Json.array();
        parameters.forEach(name -> {
            ObjectNode parameter = Json.object().put("name", name).put("in", "query");
            parameter.set(
                    "schema",
                    Json.object()
                            .put("type", name.equals("force") ? "boolean" : "string")
                            .put("uniqueItems", true));
            described.add(parameter);
        });
        ObjectNode operation = Json.object();
        operation.set("parameters", described);
        ObjectNode content = Json.object();
        ObjectNode reference = Json.object();
        reference.set("schema", Json.object().put("$ref", REFERENCE + schema));
        content.set("application/json", reference);
        ObjectNode ok = Json.object().put("description", "OK");
        ok.set("content", content);
        ObjectNode responses = Json.object();
        responses.set("200", ok);
        operation.set("responses", responses);
        operation.put("x-kubernetes-action", action);
        operation.set("x-kubernetes-group-version-kind", kind(resource));
        return operation;
    }
}
