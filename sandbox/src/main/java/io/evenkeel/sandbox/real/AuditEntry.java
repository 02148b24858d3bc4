package io.evenkeel.sandbox.real;

import tools.jackson.databind.JsonNode;

/**
 * One request as the API server itself wrote it down: a witness that is not the client under test.
 *
 * @param verb as Kubernetes names it: get, list, watch, create, update, patch, delete, deletecollection
 * @param group API group, empty for the core group and for paths that are no resource
 * @param resource plural, empty for paths that are no resource
 * @param namespace empty if cluster-wide
 * @param name empty if not of one object
 * @param uri path and query
 * @param user who asked
 * @param userAgent what the client calls itself
 * @param status HTTP status of the answer
 */
public record AuditEntry(
        String verb,
        String group,
        String resource,
        String namespace,
        String name,
        String uri,
        String user,
        String userAgent,
        int status) {

    static AuditEntry of(JsonNode event) {
        JsonNode object = event.path("objectRef");
        return new AuditEntry(
                event.path("verb").asString(""),
                object.path("apiGroup").asString(""),
                object.path("resource").asString(""),
                object.path("namespace").asString(""),
                object.path("name").asString(""),
                event.path("requestURI").asString(""),
                event.path("user").path("username").asString(""),
                event.path("userAgent").asString(""),
                event.path("responseStatus").path("code").asInt(0));
    }
}
