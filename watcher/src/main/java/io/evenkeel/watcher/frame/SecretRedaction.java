package io.evenkeel.watcher.frame;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Replaces the payload of a Secret by keyed hashes: each value of {@code data} and {@code stringData}, and kubectl's copy of
 * the whole manifest in an annotation. Equal values under one key stay equal, so that a change shows, and nothing else
 * does. Thread-safe.
 */
public final class SecretRedaction {
    private static final String ALGORITHM = "HmacSHA256";
    private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

    private final SecretKeySpec key;

    /**
     * @param key secret of 16 bytes or more, the same in every process
     * @throws IllegalArgumentException if it is shorter
     */
    public SecretRedaction(byte[] key) {
        if (key.length < 16) {
            throw new IllegalArgumentException(
                    "watcher.redaction-key must have 16 bytes or more but has " + key.length);
        }
        this.key = new SecretKeySpec(key, ALGORITHM);
    }

    /** The Secret between two offsets of {@code json}, with its payload replaced. */
    byte[] redact(byte[] json, int from, int to) {
        var out = new ByteArrayOutputStream(to - from + 256);
        try (JsonParser parser = ObjectScanner.parser(json, from, to)) {
            var copy = new Copy(json, from, parser, out);
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new MalformedFrameException("an object was expected");
            }
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String field = parser.currentName();
                JsonToken value = parser.nextToken();
                switch (field) {
                    case "data", "stringData" -> copy.hashAll(value);
                    case "metadata" -> metadata(parser, copy, value);
                    default -> parser.skipChildren();
                }
            }
            copy.rest(to);
            return out.toByteArray();
        } catch (JacksonException e) {
            throw ObjectScanner.malformed(e);
        }
    }

    private static void metadata(JsonParser parser, Copy copy, JsonToken metadata) {
        if (metadata != JsonToken.START_OBJECT) {
            return;
        }
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            boolean annotations = parser.currentName().equals("annotations");
            if (parser.nextToken() != JsonToken.START_OBJECT || !annotations) {
                parser.skipChildren();
                continue;
            }
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                boolean manifest = parser.currentName().equals(LAST_APPLIED);
                parser.nextToken();
                if (manifest) {
                    copy.hashValue();
                } else {
                    parser.skipChildren();
                }
            }
        }
    }

    private String hash(byte[] value) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return "\"hmac-sha256:" + HexFormat.of().formatHex(mac.doFinal(value)) + "\"";
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }

    /** Copies the bytes between the values that are replaced. */
    private final class Copy {
        private final byte[] json;
        private final int base;
        private final JsonParser parser;
        private final ByteArrayOutputStream out;
        private int copied;

        Copy(byte[] json, int base, JsonParser parser, ByteArrayOutputStream out) {
            this.json = json;
            this.base = base;
            this.parser = parser;
            this.out = out;
            this.copied = base;
        }

        /** Replaces each member of the object at which the parser stands; anything else but null as a whole. */
        void hashAll(JsonToken value) {
            if (value != JsonToken.START_OBJECT) {
                hashValue();
                return;
            }
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                parser.nextToken();
                hashValue();
            }
        }

        /** Replaces the value at which the parser stands, unless it is null. */
        void hashValue() {
            if (parser.currentToken() == JsonToken.VALUE_NULL) {
                return;
            }
            int from = base + (int) parser.currentTokenLocation().getByteOffset();
            boolean string = parser.currentToken() == JsonToken.VALUE_STRING;
            byte[] text = string ? parser.getString().getBytes(StandardCharsets.UTF_8) : new byte[0];
            parser.skipChildren();
            parser.finishToken();
            int to = base + (int) parser.currentLocation().getByteOffset();
            out.write(json, copied, from - copied);
            out.writeBytes(hash(string ? text : java.util.Arrays.copyOfRange(json, from, to))
                    .getBytes(StandardCharsets.UTF_8));
            copied = to;
        }

        void rest(int to) {
            out.write(json, copied, to - copied);
        }
    }
}
