package io.evenkeel.sandbox.kube.cluster;

import io.evenkeel.sandbox.kube.api.ApiFailure;
import io.evenkeel.sandbox.kube.api.OwnerReferences;
import io.evenkeel.sandbox.kube.api.Resource;
import io.evenkeel.sandbox.kube.json.Json;
import io.evenkeel.sandbox.kube.schema.GoTypes;
import io.evenkeel.sandbox.kube.schema.Protobuf;
import io.evenkeel.sandbox.kube.schema.Shaper;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Turns what a client sent into an object of the form in which it is stored. Stateless. */
final class Decoder {
    private static final int SHOWN = 32;

    private Decoder() {}

    /** Reads a whole object from the body of a create or an update. */
    static ObjectNode object(
            Resource resource, byte[] body, String contentType, String validation, List<String> warnings) {
        List<String> duplicates = new ArrayList<>();
        JsonNode parsed;
        try {
            parsed = parse(resource, body, contentType, duplicates);
        } catch (JacksonException | IllegalArgumentException e) {
            throw ApiFailure.badRequest("the object provided is unrecognized (must be of type " + resource.kind()
                    + "): couldn't get version/kind; json parse error: " + firstLine(e) + " (" + excerpt(body) + ")");
        }
        if (!(parsed instanceof ObjectNode object)) {
            throw ApiFailure.badRequest("the object provided is unrecognized (must be of type " + resource.kind()
                    + "): couldn't get version/kind; json parse error: json: cannot unmarshal "
                    + "into Go value of type"
                    + " struct (" + excerpt(body) + ")");
        }
        checkKind(resource, object, body);
        shape(resource, object, validation, duplicates, warnings, why -> cannotBeHandled(resource, why));
        return object;
    }

    private static JsonNode parse(Resource resource, byte[] body, String contentType, List<String> duplicates) {
        if (contentType.contains("protobuf")) {
            if (!resource.builtIn()) {
                throw ApiFailure.unsupportedMediaType(List.of("application/json", "application/yaml"));
            }
            return Protobuf.read(body, resource.schema().name());
        }
        return contentType.contains("yaml")
                ? Json.parseYaml(body)
                : Json.parseReportingDuplicates(body, duplicates::add);
    }

    private static void checkKind(Resource resource, ObjectNode object, byte[] body) {
        String kind = Json.text(object, "kind");
        String version = Json.text(object, "apiVersion");
        if (!resource.builtIn() && kind.isEmpty()) {
            String text = new String(body, StandardCharsets.UTF_8);
            throw ApiFailure.badRequest("the object provided is unrecognized (must be of type " + resource.kind()
                    + "): Object 'Kind' is missing in '" + text + "' (" + excerpt(body) + ")");
        }
        boolean fits = (kind.isEmpty() || kind.equals(resource.kind()))
                && (version.isEmpty() || version.equals(resource.apiVersion()));
        if (!fits && resource.builtIn()) {
            String given = (version.isEmpty() ? "v1" : version.substring(version.lastIndexOf('/') + 1));
            throw ApiFailure.badRequest(kind + " in version \"" + given + "\" cannot be handled as a " + resource.kind()
                    + ": converting (" + given + "." + kind + ") to (core." + resource.kind()
                    + "): unknown conversion");
        }
        if (!fits) {
            throw ApiFailure.badRequest("the object provided is unrecognized (must be of type " + resource.kind()
                    + "): does not match the kind of the resource: " + version + " " + kind);
        }
        object.put("kind", resource.kind());
        object.put("apiVersion", resource.apiVersion());
    }

    /**
     * Prunes, checks types, fills in defaults; reports what is unknown as the field validation asks.
     *
     * @param malformed makes of the complaint about a type what is answered
     */
    static void shape(
            Resource resource,
            ObjectNode object,
            String validation,
            List<String> duplicates,
            List<String> warnings,
            Function<String, ApiFailure> malformed) {
        if (resource.builtIn()) {
            Optional<String> mismatch = GoTypes.mismatch(resource.schema(), object, "");
            if (mismatch.isPresent()) {
                throw malformed.apply(mismatch.get());
            }
        } else if (object.has("metadata")) {
            Optional<String> mismatch =
                    GoTypes.mismatch(resource.schema().child("metadata"), object.path("metadata"), "");
            if (mismatch.isPresent()) {
                throw malformed.apply(mismatch.get());
            }
        }
        TreeSet<String> unknown = new TreeSet<>();
        Shaper.prune(resource.schema(), object, unknown::add);
        if (!validation.equals("Ignore") && !(duplicates.isEmpty() && unknown.isEmpty())) {
            List<String> complaints = new ArrayList<>();
            duplicates.forEach(path -> complaints.add("duplicate field \"" + path + "\""));
            unknown.forEach(path -> complaints.add("unknown field \"" + path + "\""));
            if (validation.equals("Strict")) {
                throw cannotBeHandled(resource, "strict decoding error: " + String.join(", ", complaints));
            }
            warnings.addAll(complaints);
        }
        if (!resource.builtIn()) {
            Shaper.dropNulls(resource.schema(), object);
        } else if (object.path("metadata").path("managedFields") instanceof ArrayNode claims && claims.isEmpty()) {
            claims.addObject(); // of a built-in kind, an empty list drops all claims as a list of an empty entry does
        }
        complete(resource, object);
        OwnerReferences.withoutRepetitions(Json.metadata(object)).ifPresent(warnings::add);
    }

    /** Fills in what a server adds to a decoded object. */
    static void complete(Resource resource, ObjectNode object) {
        if (resource.builtIn()) {
            Shaper.normalizeBuiltIn(resource.schema(), object);
        } else {
            Shaper.normalizeBuiltIn(resource.schema().child("metadata"), Json.metadata(object));
            Shaper.defaultCustom(resource.schema(), object);
        }
    }

    private static ApiFailure cannotBeHandled(Resource resource, String why) {
        return ApiFailure.badRequest(resource.kind() + " in version \"" + resource.version()
                + "\" cannot be handled as a " + resource.kind() + ": " + why);
    }

    static String firstLine(Exception e) {
        String message = String.valueOf(e.getMessage());
        int end = message.indexOf('\n');
        return end < 0 ? message : message.substring(0, end);
    }

    private static String excerpt(byte[] body) {
        String text = new String(body, StandardCharsets.UTF_8);
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN - 1) + " ...";
    }
}
