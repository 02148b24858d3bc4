package io.evenkeel.sandbox.kube.cluster;

import io.evenkeel.sandbox.kube.api.ApiFailure;
import io.evenkeel.sandbox.kube.api.ApiRequest;
import io.evenkeel.sandbox.kube.api.ApiResponse;
import io.evenkeel.sandbox.kube.api.JsonPath;
import io.evenkeel.sandbox.kube.api.Resource;
import io.evenkeel.sandbox.kube.api.Selector;
import io.evenkeel.sandbox.kube.json.Json;
import io.evenkeel.sandbox.kube.merge.Patches;
import io.evenkeel.sandbox.kube.schema.Violation;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The {@code /scale} of objects: reads and writes the replicas where the resource says they stand. */
final class Scales {
    private final Writer writer;

    Scales(Writer writer) {
        this.writer = writer;
    }

    ApiResponse handle(Call call, ApiRequest request) {
        ObjectNode object = writer.find(call.resource(), call.key())
                .orElseThrow(() -> ApiFailure.notFound(call.resource().type(), call.name()));
        return switch (request.method()) {
            case "GET" -> ApiResponse.json(200, scale(call.resource(), object));
            case "PUT" -> update(call, Json.parse(request.body().bytes()));
            case "PATCH" -> patch(call, request, scale(call.resource(), object));
            default -> throw ApiFailure.methodNotAllowed();
        };
    }

    private ApiResponse patch(Call call, ApiRequest request, ObjectNode scale) {
        JsonNode patch = Json.parseYaml(request.body().bytes());
        return switch (request.mediaType()) {
            case "application/apply-patch+yaml" -> apply(call, patch);
            case "application/json-patch+json" -> update(call, Patches.json(scale, patch));
            default -> update(call, Patches.merge(scale, patch));
        };
    }

    private ApiResponse update(Call call, JsonNode scale) {
        Resource resource = call.resource();
        if (!Json.text(scale, "metadata", "name").equals(call.name())) {
            throw ApiFailure.otherName(Json.text(scale, "metadata", "name"), call.name());
        }
        long replicas = replicas(scale);
        String expected = Json.text(scale, "metadata", "resourceVersion");
        if (replicas < 0 && resource.builtIn()) {
            throw ApiFailure.invalid(
                    "autoscaling",
                    "Scale",
                    call.name(),
                    List.of(Violation.invalid(
                            "spec.replicas", Long.toString(replicas), "must be greater than or equal to 0")));
        }
        ObjectNode changed = writer.modify(call, object -> {
                    if (!expected.isEmpty() && !expected.equals(Json.text(object, "metadata", "resourceVersion"))) {
                        throw ApiFailure.modified(resource.type(), call.name());
                    }
                    setReplicas(resource, object, replicas);
                    return object;
                })
                .orElseThrow(() -> ApiFailure.notFound(resource.type(), call.name()));
        return ApiResponse.json(200, scale(resource, changed));
    }

    /** An apply of a Scale is one of its object with nothing but the replicas. */
    private ApiResponse apply(Call call, JsonNode scale) {
        Resource resource = call.resource();
        if (!resource.builtIn()) {
            throw ApiFailure.internal("failed to create manager for existing fields: failed to convert live object (/;"
                    + " autoscaling/v1, Kind=Scale) to proper version: request to convert CR to an invalid"
                    + " group/version: autoscaling/v1");
        }
        ObjectNode config =
                Json.object().put("apiVersion", resource.apiVersion()).put("kind", resource.kind());
        config.set("metadata", scale.path("metadata"));
        Json.metadata(config).put("name", call.name()).put("namespace", call.namespace());
        if (scale.path("spec").has("replicas")) {
            setReplicas(resource, config, replicas(scale));
        }
        return ApiResponse.json(
                200, scale(resource, writer.apply(call, config, call.key()).object()));
    }

    private static long replicas(JsonNode scale) {
        JsonNode replicas = scale.path("spec").path("replicas");
        if (!replicas.isMissingNode() && !replicas.isIntegralNumber()) {
            throw ApiFailure.invalid(
                    "",
                    "",
                    "",
                    List.of(Violation.invalid(
                            "patch",
                            Json.string(scale.toString()).toString(),
                            "json: cannot unmarshal string into Go struct field ScaleSpec.spec.replicas of type"
                                    + " int32")));
        }
        return Json.number(scale, 0, "spec", "replicas");
    }

    private static void setReplicas(Resource resource, ObjectNode object, long replicas) {
        ObjectNode parent = object;
        String[] steps = paths(resource).replicas().substring(1).split("\\.", -1);
        for (int i = 0; i < steps.length - 1; i++) {
            parent = Json.child(parent, steps[i]);
        }
        parent.put(steps[steps.length - 1], replicas);
    }

    private static Resource.ScalePaths paths(Resource resource) {
        return resource.traits().scale().orElseThrow(ApiFailure::noSuchResource);
    }

    private static ObjectNode scale(Resource resource, ObjectNode object) {
        Resource.ScalePaths paths = paths(resource);
        ObjectNode scale = Json.object().put("kind", "Scale").put("apiVersion", "autoscaling/v1");
        ObjectNode metadata = Json.metadata(scale);
        for (String field : List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp")) {
            String value = Json.text(object, "metadata", field);
            if (!value.isEmpty()) {
                metadata.put(field, value);
            }
        }
        ObjectNode spec = Json.child(scale, "spec");
        JsonPath.find(object, paths.replicas()).stream()
                .findFirst()
                .filter(value -> value.longValue(0) != 0) // a Scale leaves zero out
                .ifPresent(value -> spec.set("replicas", value));
        ObjectNode status = Json.child(scale, "status");
        status.put("replicas", 0);
        JsonPath.find(object, paths.statusReplicas()).stream()
                .findFirst()
                .ifPresent(value -> status.set("replicas", value));
        if (!paths.selector().isEmpty()) {
            JsonPath.find(object, paths.selector()).stream()
                    .findFirst()
                    .ifPresent(value -> status.put(
                            "selector", value.isObject() ? Selector.of(value).toText() : Json.plain(value)));
        }
        return scale;
    }
}
