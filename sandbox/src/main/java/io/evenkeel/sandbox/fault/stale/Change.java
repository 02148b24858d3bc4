package io.evenkeel.sandbox.fault.stale;

import tools.jackson.databind.JsonNode;

/**
 * One frame of the recording watch.
 *
 * @param revision of the object after the change
 * @param type ADDED, MODIFIED or DELETED
 * @param key namespace and name
 * @param object as the frame had it
 */
record Change(long revision, String type, String key, JsonNode object) {

    static String key(JsonNode object) {
        JsonNode metadata = object.path("metadata");
        return metadata.path("namespace").asString("") + "/"
                + metadata.path("name").asString("");
    }

    static long revision(JsonNode object) {
        return Long.parseLong(object.path("metadata").path("resourceVersion").asString("0"));
    }

    static Change of(String type, JsonNode object) {
        return new Change(revision(object), type, key(object), object);
    }
}
