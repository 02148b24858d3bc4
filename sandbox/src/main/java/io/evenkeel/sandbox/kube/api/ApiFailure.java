package io.evenkeel.sandbox.kube.api;

import io.evenkeel.sandbox.kube.json.Json;
import io.evenkeel.sandbox.kube.schema.Violation;
import io.evenkeel.sandbox.kube.store.ObjectType;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A request that is refused, with the Status that tells the client so. Immutable after it was built. */
public final class ApiFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int code;
    private final transient ObjectNode status;
    private transient List<String> warnings = List.of();

    private ApiFailure(int code, String reason, String message) {
        super(message, null, false, false);
        this.code = code;
        this.status = Json.object().put("kind", "Status").put("apiVersion", "v1");
        status.set("metadata", Json.object());
        status.put("status", "Failure").put("message", message);
        if (!reason.isEmpty()) {
            status.put("reason", reason);
        }
    }

    public int code() {
        return code;
    }

    /** The reason as a client reads it, for example {@code NotFound}; empty if there is none. */
    public String reason() {
        return Json.text(status, "reason");
    }

    /** What the client should know beside the failure. */
    public List<String> warnings() {
        return warnings;
    }

    /** The same failure with warnings. */
    public ApiFailure withWarnings(List<String> added) {
        warnings = List.copyOf(added);
        return this;
    }

    public ObjectNode status() {
        ObjectNode complete = status.deepCopy();
        complete.put("code", code);
        return complete;
    }

    private ObjectNode details() {
        return Json.child(status, "details");
    }

    private ApiFailure about(ObjectType type, String name, String kind) {
        ObjectNode details = details();
        if (!name.isEmpty()) {
            details.put("name", name);
        }
        if (!type.group().isEmpty()) {
            details.put("group", type.group());
        }
        details.put("kind", kind);
        return this;
    }

    private ApiFailure cause(String reason, String message, String field) {
        ArrayNode causes = details().get("causes") instanceof ArrayNode present ? present : Json.array();
        ObjectNode cause = Json.object();
        if (!reason.isEmpty()) {
            cause.put("reason", reason);
        }
        cause.put("message", message);
        if (!field.isEmpty()) {
            cause.put("field", field);
        }
        causes.add(cause);
        details().set("causes", causes);
        return this;
    }

    public static ApiFailure notFound(ObjectType type, String name) {
        return new ApiFailure(404, "NotFound", type + " \"" + name + "\" not found").about(type, name, type.plural());
    }

    /** For a path under a known group and version that names no resource. */
    public static ApiFailure noSuchResource() {
        ApiFailure failure = new ApiFailure(404, "NotFound", "the server could not find the requested resource");
        failure.details();
        return failure;
    }

    /** @param ending whether the present object is being deleted */
    public static ApiFailure alreadyExists(ObjectType type, String name, boolean ending) {
        String prefix = ending ? "object is being deleted: " : "";
        return new ApiFailure(409, "AlreadyExists", prefix + type + " \"" + name + "\" already exists")
                .about(type, name, type.plural());
    }

    public static ApiFailure modified(ObjectType type, String name) {
        return conflict(
                type,
                name,
                "the object has been modified; please apply your changes to the latest version and try again");
    }

    public static ApiFailure conflict(ObjectType type, String name, String detail) {
        return new ApiFailure(
                        409, "Conflict", "Operation cannot be fulfilled on " + type + " \"" + name + "\": " + detail)
                .about(type, name, type.plural());
    }

    /** A precondition of a deletion does not hold; a real server names the kind here, not the resource. */
    public static ApiFailure precondition(Resource resource, String name, String detail) {
        String shown = new ObjectType(resource.type().group(), resource.kind()).toString();
        return new ApiFailure(
                        409, "Conflict", "Operation cannot be fulfilled on " + shown + " \"" + name + "\": " + detail)
                .about(resource.type(), name, resource.kind());
    }

    public static ApiFailure invalid(Resource resource, String name, List<Violation> violations) {
        return invalid(resource.type().group(), resource.kind(), name, violations);
    }

    public static ApiFailure invalid(String group, String kind, String name, List<Violation> violations) {
        String shown = new ObjectType(group, kind).toString();
        String causes = violations.stream()
                .map(violation -> violation.field() + ": " + violation.message())
                .distinct()
                .collect(Collectors.joining(", "));
        ApiFailure failure = new ApiFailure(
                        422,
                        "Invalid",
                        shown + " \"" + name + "\" is invalid: "
                                + (violations.size() == 1 ? causes : "[" + causes + "]"))
                .about(new ObjectType(group, kind), name, kind);
        violations.forEach(v -> failure.cause(v.reason(), v.message(), v.field()));
        return failure;
    }

    public static ApiFailure badRequest(String message) {
        return new ApiFailure(400, "BadRequest", message);
    }

    /** The body of a write names another object than the path. */
    public static ApiFailure otherName(String name, String nameInPath) {
        return badRequest(
                "the name of the object (" + name + ") does not match the name on the URL (" + nameInPath + ")");
    }

    /** The body of a write has no name. */
    public static ApiFailure otherNamespace() {
        return badRequest("the namespace of the provided object does not match the namespace sent on the request");
    }

    public static ApiFailure nameless(String nameInPath) {
        return badRequest(
                "the name of the object (" + nameInPath + " based on URL) was undeterminable: name must be provided");
    }

    public static ApiFailure unprocessable() {
        ApiFailure failure =
                new ApiFailure(422, "Invalid", "the server rejected our request due to an error in our request");
        failure.details();
        return failure;
    }

    public static ApiFailure forbidden(ObjectType type, String name, String detail) {
        String object = name.isEmpty() ? type.toString() : type + " \"" + name + "\"";
        return new ApiFailure(403, "Forbidden", object + " is forbidden: " + detail).about(type, name, type.plural());
    }

    /** For a path that is no resource. */
    public static ApiFailure forbiddenPath(String user, String verb, String path) {
        ApiFailure failure = new ApiFailure(
                403, "Forbidden", "forbidden: User \"" + user + "\" cannot " + verb + " path \"" + path + "\"");
        failure.details();
        return failure;
    }

    public static ApiFailure terminating(ObjectType type, String name, String namespace) {
        return forbidden(
                        type,
                        name,
                        "unable to create new content in namespace " + namespace + " because it is being terminated")
                .cause("NamespaceTerminating", "namespace " + namespace + " is being terminated", "metadata.namespace");
    }

    public static ApiFailure unauthorized() {
        return new ApiFailure(401, "Unauthorized", "Unauthorized");
    }

    public static ApiFailure methodNotAllowed() {
        ApiFailure failure = new ApiFailure(
                405, "MethodNotAllowed", "the server does not allow this method on the requested resource");
        failure.details();
        return failure;
    }

    public static ApiFailure notAcceptable() {
        ApiFailure failure = new ApiFailure(
                406, "NotAcceptable", "406: Not Acceptable\n\nAvailable representations: application/json");
        failure.details();
        return failure;
    }

    public static ApiFailure unsupportedMediaType(List<String> accepted) {
        return new ApiFailure(
                415,
                "UnsupportedMediaType",
                "the body of the request was in an unknown format - accepted media types include: "
                        + String.join(", ", accepted));
    }

    /** The history that a watch asks for is gone. */
    public static ApiFailure tooOld(long wanted, long oldest) {
        return new ApiFailure(410, "Expired", "too old resource version: " + wanted + " (" + oldest + ")");
    }

    /** The revision that a continue token or an exact list names is gone. */
    public static ApiFailure expired(String continueToken) {
        if (continueToken.isEmpty()) {
            return new ApiFailure(410, "Expired", "The resourceVersion for the provided list is too old.");
        }
        ApiFailure failure = new ApiFailure(
                410,
                "Expired",
                "The provided continue parameter is too old to display a consistent list result. You can start a new"
                        + " list without the continue parameter, or use the continue token in this response to retrieve"
                        + " the remainder of the results. Continuing with the provided token results in an inconsistent"
                        + " list - objects that were created, modified, or deleted between the time the first chunk was"
                        + " returned and now may show up in the list.");
        Json.child(failure.status, "metadata").put("continue", continueToken);
        return failure;
    }

    public static ApiFailure tooLargeResourceVersion(long wanted, long current) {
        ApiFailure failure = new ApiFailure(
                504, "Timeout", "Timeout: Too large resource version: " + wanted + ", current: " + current);
        failure.cause("ResourceVersionTooLarge", "Too large resource version", "");
        failure.details().put("retryAfterSeconds", 1);
        return failure;
    }

    /** A field that somebody else owns; {@code manager} as messages show it. */
    public record OwnedField(String manager, String field) {}

    public static ApiFailure applyConflict(List<OwnedField> owned) {
        ApiFailure failure = new ApiFailure(409, "Conflict", applyMessage(owned));
        owned.forEach(c -> failure.cause("FieldManagerConflict", "conflict with " + c.manager(), c.field()));
        return failure;
    }

    private static String applyMessage(List<OwnedField> owned) {
        if (owned.size() == 1) {
            OwnedField only = owned.getFirst();
            return "Apply failed with 1 conflict: conflict with " + only.manager() + ": " + only.field();
        }
        StringBuilder message = new StringBuilder("Apply failed with " + owned.size() + " conflicts: ");
        String current = "";
        for (OwnedField conflict : owned) {
            if (!conflict.manager().equals(current)) {
                message.append(current.isEmpty() ? "" : "\n")
                        .append("conflicts with ")
                        .append(conflict.manager())
                        .append(':');
                current = conflict.manager();
            }
            message.append("\n- ").append(conflict.field());
        }
        return message.toString();
    }

    /** A failure without a reason, such as a configuration that does not fit the schema. */
    public static ApiFailure internal(String message) {
        return new ApiFailure(500, "", message);
    }

    public static ApiFailure internalError(String message) {
        ApiFailure failure = new ApiFailure(500, "InternalError", "Internal error occurred: " + message);
        failure.cause("", message, "");
        return failure;
    }

    public static ApiFailure tooManyRequests(int retryAfterSeconds) {
        ApiFailure failure = new ApiFailure(
                429,
                "TooManyRequests",
                "the server has received too many requests and has asked us to try again later");
        failure.details().put("retryAfterSeconds", retryAfterSeconds);
        return failure;
    }

    /** What a simulator leaves out on purpose. */
    public static ApiFailure notSimulated(String what) {
        return new ApiFailure(501, "NotImplemented", what + " is not simulated");
    }
}
