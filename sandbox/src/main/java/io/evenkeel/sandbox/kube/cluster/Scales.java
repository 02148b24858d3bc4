package io.evenkeel.sandbox.kube.cluster;

import io.evenkeel.sandbox.kube.api.ApiFailure;
import io.evenkeel.sandbox.kube.api.ApiRequest;
import io.evenkeel.sandbox.kube.api.ApiResponse;
import io.evenkeel.sandbox.kube.api.JsonPath;
import io.evenkeel.sandbox.kube.api.Resource;
import io.evenkeel.sandbox.kube.api.Selector;
import io.evenkeel.sandbox.kube.json.Json;
import io.evenkeel.sandbox.kube.merge.Patches;
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
            case "PATCH" -> {
                JsonNode patch = Json.parseYaml(request.body().bytes());
                ObjectNode scale = scale(call.resource(), object);
                yield update(
                        call,
                        request.contentType().startsWith("application/json-patch")
                                ? Patches.json(scale, patch)
                                : Patches.merge(scale, patch));
            }
            default -> throw ApiFailure.methodNotAllowed();
        };
    }

    private ApiResponse update(Call call, JsonNode scale) {
        Resource.ScalePaths paths = paths(call.resource());
        long replicas = Json.number(scale, 0, "spec", "replicas");
        String expected = Json.text(scale, "metadata", "resourceVersion");
        if (replicas < 0) {
            throw ApiFailure.invalid(
                    "autoscaling",
                    "Scale",
                    call.name(),
                    List.of(io.evenkeel.sandbox.kube.schema.Violation.invalid(
                            "spec.replicas", Long.toString(replicas), "must be greater than or equal to 0")));
        }
        ObjectNode changed = writer.modify(call, object -> {
                    if (!expected.isEmpty() && !expected.equals(Json.text(object, "metadata", "resourceVersion"))) {
                        throw ApiFailure.modified(call.resource().type(), call.name());
                    }
                    ObjectNode parent = object;
                    String[] steps = paths.replicas().substring(1).split("\\.", -1);
                    for (int i = 0; i < steps.length - 1; i++) {
                        parent = Json.child(parent, steps[i]);
                    }
                    parent.put(steps[steps.length - 1], replicas);
                    return object;
                })
                .orElseThrow(() -> ApiFailure.notFound(call.resource().type(), call.name()));
        return ApiResponse.json(200, scale(call.resource(), changed));
    }

    private static Resource.ScalePaths paths(Resource resource) {
        return resource.traits().scale().orElseThrow(ApiFailure::noSuchResource);
    }

    private static ObjectNode scale(Resource resource, ObjectNode object) {
        Resource.ScalePaths paths = paths(resource);
        ObjectNode scale = Json.object().put("kind", "Scale").put("apiVersion", "autoscaling/v1");
        ObjectNode metadata = Json.metadata(scale);
        for (String field : List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp")) {
            metadata.put(field, Json.text(object, "metadata", field));
        }
        ObjectNode spec = Json.child(scale, "spec");
        JsonPath.find(object, paths.replicas()).stream().findFirst().ifPresent(value -> spec.set("replicas", value));
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
