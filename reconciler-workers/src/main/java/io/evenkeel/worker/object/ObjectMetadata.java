package io.evenkeel.worker.object;

import io.evenkeel.api.json.Json;
import io.evenkeel.api.json.MalformedRecordException;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * The part of an object's metadata that the engine acts on.
 *
 * @param uid its life; empty if not given
 * @param resourceVersion its version; empty if not given, as of an object whose body was left out
 * @param generation version of its spec, -1 if not given
 * @param deleting whether it has a deletionTimestamp
 * @param finalizers their names
 * @param owners its owner references
 */
public record ObjectMetadata(
        String uid,
        String resourceVersion,
        long generation,
        boolean deleting,
        List<String> finalizers,
        List<Owner> owners) {
    /** Takes copies of the lists. */
    public ObjectMetadata {
        finalizers = List.copyOf(finalizers);
        owners = List.copyOf(owners);
    }

    /**
     * One owner reference.
     *
     * @param apiVersion of the owner
     * @param kind of the owner
     * @param name of the owner
     * @param uid of the owner
     */
    public record Owner(String apiVersion, String kind, String name, String uid) {}

    /**
     * Reads it from an object's JSON with a streaming parser, passing over everything else.
     *
     * @throws MalformedRecordException if the bytes are not a JSON object
     */
    public static ObjectMetadata of(byte[] json) {
        try (JsonParser parser = Json.mapper().createParser(json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new MalformedRecordException("an object is expected");
            }
            var found = new Found();
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                if (parser.nextToken() == JsonToken.START_OBJECT && name.equals("metadata")) {
                    found.readMetadata(parser);
                } else {
                    parser.skipChildren();
                }
            }
            if (parser.currentToken() != JsonToken.END_OBJECT) {
                throw new MalformedRecordException("an object is cut");
            }
            return found.metadata();
        } catch (JacksonException e) {
            // Jackson's own message quotes the payload.
            throw new MalformedRecordException("not an object: " + e.getClass().getSimpleName() + " at byte "
                    + e.getLocation().getByteOffset());
        }
    }

    /** Collects while the parser moves on. */
    private static final class Found {
        private String uid = "";
        private String resourceVersion = "";
        private long generation = -1;
        private boolean deleting;
        private final List<String> finalizers = new ArrayList<>();
        private final List<Owner> owners = new ArrayList<>();

        ObjectMetadata metadata() {
            return new ObjectMetadata(uid, resourceVersion, generation, deleting, finalizers, owners);
        }

        void readMetadata(JsonParser parser) {
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                JsonToken value = parser.nextToken();
                switch (name) {
                    case "uid" -> uid = text(parser);
                    case "resourceVersion" -> resourceVersion = text(parser);
                    case "generation" -> generation = value == JsonToken.VALUE_NUMBER_INT ? parser.getLongValue() : -1;
                    case "deletionTimestamp" -> deleting = value != JsonToken.VALUE_NULL;
                    case "finalizers" -> readFinalizers(parser);
                    case "ownerReferences" -> readOwners(parser);
                    default -> parser.skipChildren();
                }
            }
        }

        private void readFinalizers(JsonParser parser) {
            if (parser.currentToken() != JsonToken.START_ARRAY) {
                return;
            }
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                finalizers.add(text(parser));
            }
        }

        private void readOwners(JsonParser parser) {
            if (parser.currentToken() != JsonToken.START_ARRAY) {
                return;
            }
            while (parser.nextToken() == JsonToken.START_OBJECT) {
                String apiVersion = "";
                String kind = "";
                String name = "";
                String ownerUid = "";
                while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                    String field = parser.currentName();
                    parser.nextToken();
                    switch (field) {
                        case "apiVersion" -> apiVersion = text(parser);
                        case "kind" -> kind = text(parser);
                        case "name" -> name = text(parser);
                        case "uid" -> ownerUid = text(parser);
                        default -> parser.skipChildren();
                    }
                }
                owners.add(new Owner(apiVersion, kind, name, ownerUid));
            }
        }

        private static String text(JsonParser parser) {
            return parser.currentToken() == JsonToken.VALUE_STRING ? parser.getString() : "";
        }
    }
}
