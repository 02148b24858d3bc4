package io.evenkeel.sandbox.kube.api;

import io.evenkeel.sandbox.kube.json.Json;
import io.evenkeel.sandbox.kube.schema.Violation;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The rules for references to owners. Stateless. */
public final class OwnerReferences {
    private static final String FIELD = "metadata.ownerReferences";

    private OwnerReferences() {}

    /** Leaves one of several equal references, and warns if there were more. */
    public static Optional<String> withoutRepetitions(ObjectNode metadata) {
        Set<JsonNode> distinct = new LinkedHashSet<>();
        Set<String> repeated = new LinkedHashSet<>();
        for (JsonNode reference : metadata.path("ownerReferences")) {
            if (!distinct.add(reference)) {
                repeated.add(Json.text(reference, "uid"));
            }
        }
        if (repeated.isEmpty()) {
            return Optional.empty();
        }
        ArrayNode kept = Json.array();
        distinct.forEach(kept::add);
        metadata.set("ownerReferences", kept);
        return Optional.of("." + FIELD + " contains duplicate entries; API server dedups owner references in 1.20+, and"
                + " may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: "
                + String.join(", ", repeated));
    }

    static List<Violation> violations(JsonNode references) {
        List<Violation> found = new ArrayList<>();
        Optional<JsonNode> controller = Optional.empty();
        for (JsonNode reference : references) {
            found.addAll(ofOne(reference));
            if (Json.truth(reference, "controller")) {
                if (controller.isPresent()) {
                    found.add(Violation.invalid(
                            FIELD,
                            references.toString(),
                            "Only one reference can have Controller set to true. Found \"true\" in references for "
                                    + shown(controller.get()) + " and " + shown(reference)));
                }
                controller = Optional.of(reference);
            }
        }
        return found;
    }

    private static List<Violation> ofOne(JsonNode reference) {
        List<Violation> found = new ArrayList<>();
        String apiVersion = Json.text(reference, "apiVersion");
        if (apiVersion.isEmpty() || apiVersion.split("/", -1).length > 2) {
            found.add(Violation.invalid(
                    FIELD + ".apiVersion", Json.string(apiVersion).toString(), "version must not be empty"));
        }
        for (String field : List.of("kind", "name", "uid")) {
            if (Json.text(reference, field).isEmpty()) {
                found.add(Violation.invalid(FIELD + "." + field, "\"\"", "must not be empty"));
            }
        }
        if (apiVersion.equals("v1") && Json.text(reference, "kind").equals("Event")) {
            found.add(Violation.invalid(
                    FIELD, reference.toString(), "/v1, Kind=Event is disallowed from being an owner"));
        }
        return found;
    }

    private static String shown(JsonNode reference) {
        return Json.text(reference, "kind") + "/" + Json.text(reference, "name");
    }
}
