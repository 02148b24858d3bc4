package io.evenkeel.watcher.frame;

import io.evenkeel.api.ResourceVersion;
import io.evenkeel.api.json.Timestamps;
import io.evenkeel.api.record.Actor;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads one object's JSON in a single pass over its tokens: what names it, hashes of its sections, who wrote it; and copies
 * its bytes without the managed fields. No tree is built. Thread-safe.
 */
public final class ObjectScanner {
    /** Deeper than any schema that a CRD may have; Jackson's own limit of 500 could be met by a list of JSON schemas. */
    private static final int MAX_DEPTH = 2_000;

    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNameLength(1 << 20)
                    .build())
            .build();

    private final String apiVersion;
    private final String kind;
    private final Optional<Redaction> redaction;

    /**
     * @param apiVersion for items of a list, which lack it
     * @param kind likewise
     * @param redaction applied before anything else sees the bytes; empty for kinds that hold no secrets
     */
    public ObjectScanner(String apiVersion, String kind, Optional<Redaction> redaction) {
        this.apiVersion = apiVersion;
        this.kind = kind;
        this.redaction = redaction;
    }

    /**
     * Reads the object that {@code json} holds between two offsets.
     *
     * @throws MalformedFrameException if that is no object with a name, uid and resourceVersion
     */
    public ScannedObject scan(byte[] json, int from, int to) {
        if (redaction.isPresent()) {
            byte[] redacted = redaction.get().redact(json, from, to);
            return scanRedacted(redacted, 0, redacted.length);
        }
        return scanRedacted(json, from, to);
    }

    private ScannedObject scanRedacted(byte[] json, int from, int to) {
        try (JsonParser parser = parser(json, from, to)) {
            return new Pass(json, from, to, parser).run();
        } catch (JacksonException e) {
            throw malformed(e);
        }
    }

    static JsonParser parser(byte[] json, int from, int to) {
        return JSON.createParser(ObjectReadContext.empty(), json, from, to - from);
    }

    /** Drops Jackson's message and the exception itself, because both may quote what was sent. */
    static MalformedFrameException malformed(JacksonException e) {
        return new MalformedFrameException("malformed JSON at byte "
                + (e.getLocation() == null ? "?" : Long.toString(e.getLocation().getByteOffset())));
    }

    /** The state of one scan. */
    private final class Pass {
        private final byte[] json;
        private final int from;
        private final int to;
        private final JsonParser parser;
        private final SectionHashes.Builder hashes = new SectionHashes.Builder();
        private final List<Actor> actors = new ArrayList<>(4);
        private String ownApiVersion = "";
        private String ownKind = "";
        private String namespace = "";
        private String name = "";
        private String uid = "";
        private String resourceVersion = "";
        private Optional<Long> generation = Optional.empty();
        private int cutFrom = -1;
        private int cutTo = -1;

        Pass(byte[] json, int from, int to, JsonParser parser) {
            this.json = json;
            this.from = from;
            this.to = to;
            this.parser = parser;
        }

        ScannedObject run() {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new MalformedFrameException("an object was expected but " + parser.currentToken() + " was found");
            }
            int bodyFrom = end();
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                topLevelField();
            }
            if (name.isEmpty() || uid.isEmpty() || resourceVersion.isEmpty()) {
                throw new MalformedFrameException("an object has no name, uid or resourceVersion");
            }
            return new ScannedObject(
                    ownApiVersion.isEmpty() ? apiVersion : ownApiVersion,
                    ownKind.isEmpty() ? kind : ownKind,
                    namespace,
                    name,
                    uid,
                    version(),
                    generation,
                    hashes.build(),
                    List.copyOf(actors),
                    splice(bodyFrom));
        }

        private ResourceVersion version() {
            try {
                return ResourceVersion.parse(resourceVersion);
            } catch (IllegalArgumentException e) {
                throw new MalformedFrameException("an object's resourceVersion is no number");
            }
        }

        private void topLevelField() {
            int nameFrom = start();
            String field = parser.currentName();
            JsonToken value = parser.nextToken();
            switch (field) {
                case "apiVersion" -> ownApiVersion = parser.getString();
                case "kind" -> ownKind = parser.getString();
                case "metadata" -> {
                    if (value == JsonToken.START_OBJECT) {
                        metadata();
                    }
                }
                case "spec" -> section(Section.SPEC, value);
                case "status" -> section(Section.STATUS, value);
                default -> {
                    int valueFrom = start();
                    int valueTo = skipValue();
                    if (value != JsonToken.VALUE_NULL) {
                        hashes.addData(json, nameFrom, valueFrom, valueTo);
                    }
                }
            }
        }

        private void metadata() {
            int previousEnd = -1;
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                int nameFrom = start();
                if (cutFrom >= 0 && cutTo < 0) {
                    cutTo = nameFrom; // managedFields came first: the comma after it goes with it
                }
                String field = parser.currentName();
                JsonToken value = parser.nextToken();
                switch (field) {
                    case "name" -> name = text(value);
                    case "namespace" -> namespace = text(value);
                    case "uid" -> uid = text(value);
                    case "resourceVersion" -> resourceVersion = text(value);
                    case "generation" ->
                        generation = value == JsonToken.VALUE_NUMBER_INT
                                ? Optional.of(parser.getLongValue())
                                : Optional.empty();
                    case "labels" -> section(Section.LABELS, value);
                    case "annotations" -> section(Section.ANNOTATIONS, value);
                    case "finalizers" -> section(Section.FINALIZERS, value);
                    case "ownerReferences" -> section(Section.OWNER_REFERENCES, value);
                    case "deletionTimestamp" -> section(Section.DELETION_TIMESTAMP, value);
                    case "managedFields" -> {
                        managedFields(value);
                        cutFrom = previousEnd >= 0 ? previousEnd : nameFrom;
                        cutTo = previousEnd >= 0 ? end() : -1;
                    }
                    default -> {}
                }
                previousEnd = skipValue();
            }
            if (cutFrom >= 0 && cutTo < 0) {
                cutTo = start(); // managedFields was the only field: cut up to the closing brace
            }
        }

        private String text(JsonToken value) {
            return value == JsonToken.VALUE_STRING ? parser.getString() : "";
        }

        private void section(Section section, JsonToken value) {
            int valueFrom = start();
            int valueTo = skipValue();
            if (value != JsonToken.VALUE_NULL) {
                hashes.set(section, json, valueFrom, valueTo);
            }
        }

        private void managedFields(JsonToken value) {
            if (value != JsonToken.START_ARRAY) {
                skipValue();
                return;
            }
            while (parser.nextToken() == JsonToken.START_OBJECT) {
                String manager = "";
                String operation = "";
                String subresource = "";
                String time = "";
                while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                    String field = parser.currentName();
                    JsonToken token = parser.nextToken();
                    switch (field) {
                        case "manager" -> manager = text(token);
                        case "operation" -> operation = text(token);
                        case "subresource" -> subresource = text(token);
                        case "time" -> time = text(token);
                        default -> parser.skipChildren();
                    }
                }
                actors.add(new Actor(
                        manager, operation, Optional.of(subresource).filter(text -> !text.isEmpty()), instant(time)));
            }
        }

        /** Moves to the end of the current value; returns the offset behind it. */
        private int skipValue() {
            parser.skipChildren();
            parser.finishToken();
            return end();
        }

        private int start() {
            return from + (int) parser.currentTokenLocation().getByteOffset();
        }

        private int end() {
            return from + (int) parser.currentLocation().getByteOffset();
        }

        private byte[] splice(int bodyFrom) {
            var out = new ByteArrayOutputStream(to - from + 64);
            out.write('{');
            if (ownApiVersion.isEmpty()) {
                out.writeBytes(("\"apiVersion\":\"" + apiVersion + "\",").getBytes(StandardCharsets.UTF_8));
            }
            if (ownKind.isEmpty()) {
                out.writeBytes(("\"kind\":\"" + kind + "\",").getBytes(StandardCharsets.UTF_8));
            }
            if (cutFrom < 0) {
                out.write(json, bodyFrom, to - bodyFrom);
            } else {
                out.write(json, bodyFrom, cutFrom - bodyFrom);
                out.write(json, cutTo, to - cutTo);
            }
            return out.toByteArray();
        }
    }

    private static Optional<Instant> instant(String text) {
        try {
            return text.isEmpty() ? Optional.empty() : Optional.of(Timestamps.parse(text));
        } catch (DateTimeException e) {
            return Optional.empty(); // a time that its writer spelled in another way is not worth a lost event
        }
    }
}
