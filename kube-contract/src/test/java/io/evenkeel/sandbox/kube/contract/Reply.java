package io.evenkeel.sandbox.kube.contract;

import io.evenkeel.sandbox.kube.json.Json;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * An answer of a server.
 *
 * @param warnings the texts of the warning headers
 */
record Reply(int code, JsonNode body, List<String> warnings) {
    String text(String... path) {
        return Json.text(body, path);
    }

    String message() {
        return text("message");
    }

    String reason() {
        return text("reason");
    }

    String version() {
        return text("metadata", "resourceVersion");
    }

    String uid() {
        return text("metadata", "uid");
    }

    JsonNode at(String pointer) {
        return body.at(pointer);
    }

    List<String> names() {
        return body.path("items")
                .valueStream()
                .map(item -> Json.text(item, "metadata", "name"))
                .toList();
    }

    /** The causes of a failure as {@code reason field: message}, in order of their text. */
    List<String> causes() {
        return body.path("details")
                .path("causes")
                .valueStream()
                .map(cause -> Json.text(cause, "reason") + " " + Json.text(cause, "field") + ": "
                        + Json.text(cause, "message"))
                .sorted()
                .toList();
    }

    /** The fields that a manager owns, as JSON; empty if it owns none. */
    String owned(String manager, String operation) {
        return body.path("metadata")
                .path("managedFields")
                .valueStream()
                .filter(entry -> Json.text(entry, "manager").equals(manager)
                        && Json.text(entry, "operation").equals(operation))
                .map(entry -> entry.path("fieldsV1").toString())
                .findFirst()
                .orElse("");
    }

    List<String> managers() {
        return body.path("metadata")
                .path("managedFields")
                .valueStream()
                .map(entry -> Json.text(entry, "manager") + "/" + Json.text(entry, "operation")
                        + (entry.has("subresource") ? "/" + Json.text(entry, "subresource") : ""))
                .toList();
    }
}
