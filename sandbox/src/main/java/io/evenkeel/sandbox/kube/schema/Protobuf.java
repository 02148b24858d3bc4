package io.evenkeel.sandbox.kube.schema;

import io.evenkeel.sandbox.kube.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads the protobuf form in which some clients send built-in kinds, by a table of field numbers. Zero values are left
 * out, because the form does not tell them from absent ones; only numbers that have another default are kept. Stateless.
 */
public final class Protobuf {
    /** The bytes in front of every message; see "Protobuf encoding" in the Kubernetes API concepts. */
    private static final byte[] MAGIC = {'k', '8', 's', 0};

    private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";
    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int BYTES = 2;

    /** Initialised by the first use. */
    private static final class Holder {
        static final ObjectNode TYPES = Definitions.resource("field-numbers.json");
    }

    private Protobuf() {}

    /** A message's bytes and how far they were read. */
    private static final class Cursor {
        final byte[] bytes;
        final int end;
        int at;

        Cursor(byte[] bytes, int start, int end) {
            this.bytes = bytes;
            this.at = start;
            this.end = end;
            if (start > end || end > bytes.length) {
                throw new IllegalArgumentException("the message ends too early");
            }
        }

        long varint() {
            long value = 0;
            for (int shift = 0; shift < 64; shift += 7) {
                if (at >= end) {
                    throw new IllegalArgumentException("the message ends too early");
                }
                byte next = bytes[at++];
                value |= (long) (next & 0x7F) << shift;
                if (next >= 0) {
                    return value;
                }
            }
            throw new IllegalArgumentException("a number is too long");
        }

        Cursor nested() {
            long length = varint();
            if (length < 0 || length > end - at) {
                throw new IllegalArgumentException("the message ends too early");
            }
            Cursor nested = new Cursor(bytes, at, at + (int) length);
            at = nested.end;
            return nested;
        }

        String text() {
            return new String(bytes, at, end - at, StandardCharsets.UTF_8);
        }

        byte[] copy() {
            return java.util.Arrays.copyOfRange(bytes, at, end);
        }

        void skip(int wireType) {
            switch (wireType) {
                case VARINT -> varint();
                case FIXED64 -> at += 8;
                case BYTES -> nested();
                default -> at += 4;
            }
        }
    }

    /**
     * Reads a message with its envelope.
     *
     * @param type the schema's name of what the envelope must hold
     * @throws IllegalArgumentException if the bytes are no such message
     */
    public static ObjectNode read(byte[] message, String type) {
        for (int i = 0; i < MAGIC.length; i++) {
            if (message.length <= i || message[i] != MAGIC[i]) {
                throw new IllegalArgumentException(
                        "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]");
            }
        }
        Cursor envelope = new Cursor(message, MAGIC.length, message.length);
        String apiVersion = "";
        String kind = "";
        Cursor raw = new Cursor(message, message.length, message.length);
        while (envelope.at < envelope.end) {
            long tag = envelope.varint();
            switch ((int) (tag >>> 3)) {
                case 1 -> {
                    Cursor meta = envelope.nested();
                    while (meta.at < meta.end) {
                        long field = meta.varint() >>> 3;
                        String text = meta.nested().text();
                        apiVersion = field == 1 ? text : apiVersion;
                        kind = field == 2 ? text : kind;
                    }
                }
                case 2 -> raw = envelope.nested();
                default -> envelope.skip((int) (tag & 7));
            }
        }
        ObjectNode object = message(raw, type);
        return object.put("apiVersion", apiVersion).put("kind", kind);
    }

    private static ObjectNode message(Cursor cursor, String type) {
        ObjectNode object = Json.object();
        JsonNode fields = Holder.TYPES.path(type);
        while (cursor.at < cursor.end) {
            long tag = cursor.varint();
            JsonNode field = fields.path(Long.toString(tag >>> 3));
            if (field.isMissingNode()) {
                cursor.skip((int) (tag & 7));
            } else {
                add(object, type, Json.plain(field.get(0)), Json.plain(field.get(1)), cursor);
            }
        }
        return object;
    }

    private static void add(ObjectNode object, String owner, String name, String type, Cursor cursor) {
        if (type.startsWith("[]")) {
            ArrayNode list = object.get(name) instanceof ArrayNode present ? present : Json.array();
            value(cursor, type.substring(2), true, false).ifPresent(list::add);
            object.set(name, list);
        } else if (type.startsWith("{}")) {
            Cursor entry = cursor.nested();
            String key = "";
            Optional<JsonNode> value = Optional.empty();
            while (entry.at < entry.end) {
                if (entry.varint() >>> 3 == 1) {
                    key = entry.nested().text();
                } else {
                    value = value(entry, type.substring(2), true, false);
                }
            }
            Json.child(object, name).set(key, value.orElse(Json.string("")));
        } else if (name.isEmpty()) {
            object.setAll(message(cursor.nested(), type));
        } else {
            boolean hasDefault = Definitions.builtIn().knows(owner)
                    && Definitions.builtIn().named(owner).rules().has(name);
            value(cursor, type, false, !hasDefault).ifPresent(value -> object.set(name, value));
        }
    }

    private static Optional<JsonNode> value(Cursor cursor, String type, boolean inCollection, boolean dropZero) {
        return switch (type) {
            case "string" -> {
                String text = cursor.nested().text();
                yield text.isEmpty() && !inCollection ? Optional.empty() : Optional.of(Json.string(text));
            }
            case "bool" -> {
                boolean value = cursor.varint() != 0;
                yield !value && dropZero ? Optional.empty() : Optional.of(Json.truthNode(value));
            }
            case "int32", "int64", "uint32", "uint64" -> {
                long value = cursor.varint();
                yield value == 0 && dropZero ? Optional.empty() : Optional.of(Json.numberNode(value));
            }
            case "double" -> {
                long bits = 0;
                for (int i = 0; i < 8; i++) {
                    bits |= (cursor.bytes[cursor.at++] & 0xFFL) << (8 * i);
                }
                yield Optional.of(Json.numberNode(Double.longBitsToDouble(bits)));
            }
            case "bytes" ->
                Optional.of(Json.string(
                        Base64.getEncoder().encodeToString(cursor.nested().copy())));
            case META + "Time", META + "MicroTime" -> time(message(cursor.nested(), type));
            case "io.k8s.apimachinery.pkg.api.resource.Quantity" ->
                Optional.of(Json.string(Json.text(message(cursor.nested(), type), "string")));
            case "io.k8s.apimachinery.pkg.util.intstr.IntOrString" -> {
                ObjectNode either = message(cursor.nested(), type);
                boolean text = Json.number(either, 0, "type") == 1;
                yield Optional.of(
                        text
                                ? Json.string(Json.text(either, "strVal"))
                                : Json.numberNode(Json.number(either, 0, "intVal")));
            }
            case META + "FieldsV1", "io.k8s.apimachinery.pkg.runtime.RawExtension" -> {
                Cursor holder = cursor.nested();
                holder.varint();
                byte[] json = holder.nested().copy();
                yield json.length == 0 ? Optional.empty() : Optional.of(Json.parse(json));
            }
            default -> Optional.of(message(cursor.nested(), type));
        };
    }

    private static Optional<JsonNode> time(ObjectNode time) {
        return time.isEmpty()
                ? Optional.empty()
                : Optional.of(Json.string(
                        Instant.ofEpochSecond(Json.number(time, 0, "seconds"), Json.number(time, 0, "nanos"))
                                .toString()));
    }
}
