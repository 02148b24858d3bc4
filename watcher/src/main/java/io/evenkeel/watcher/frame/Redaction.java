package io.evenkeel.watcher.frame;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Replaces values of one resource's objects by keyed hashes: those at its paths, and kubectl's copy of the whole manifest in
 * an annotation. Equal values under one key stay equal, so that a change shows, and nothing else does. A path that meets
 * another shape than it expects, such as a plain value where a member was to come, replaces what it met: better too much than
 * a secret. Thread-safe.
 */
public final class Redaction {
    private static final String ALGORITHM = "HmacSHA256";
    private static final List<RedactionPath.Step> LAST_APPLIED = RedactionPath.parse(
                    ".metadata.annotations['kubectl.kubernetes.io/last-applied-configuration']")
            .steps();

    private final SecretKeySpec key;
    private final RedactionTree places;

    /**
     * @param key secret, the same in every process
     * @param paths what is replaced
     */
    Redaction(byte[] key, List<RedactionPath> paths) {
        this.key = new SecretKeySpec(key, ALGORITHM);
        var all = new java.util.ArrayList<List<RedactionPath.Step>>();
        paths.forEach(path -> all.add(path.steps()));
        all.add(LAST_APPLIED);
        this.places = RedactionTree.of(all);
    }

    /** The object between two offsets of {@code json}, with its values replaced. */
    byte[] redact(byte[] json, int from, int to) {
        var out = new ByteArrayOutputStream(to - from + 256);
        try (JsonParser parser = ObjectScanner.parser(json, from, to)) {
            var copy = new Copy(json, from, parser, out);
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new MalformedFrameException("an object was expected");
            }
            copy.members(places);
            copy.rest(to);
            return out.toByteArray();
        } catch (JacksonException e) {
            throw ObjectScanner.malformed(e);
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

        /** Takes the members of the object at which the parser stands. */
        void members(RedactionTree place) {
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                Optional<RedactionTree> below = place.member(parser.currentName());
                parser.nextToken();
                if (below.isPresent()) {
                    value(below.get());
                } else {
                    parser.skipChildren();
                }
            }
        }

        /** Takes the value at which the parser stands; null says nothing and stays. */
        private void value(RedactionTree place) {
            JsonToken token = parser.currentToken();
            if (token == JsonToken.VALUE_NULL) {
                return;
            }
            if (!place.isWhole() && token == JsonToken.START_OBJECT) {
                members(place);
            } else if (!place.isWhole()
                    && token == JsonToken.START_ARRAY
                    && place.element().isPresent()) {
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    value(place.element().get());
                }
            } else {
                replace();
            }
        }

        private void replace() {
            int from = base + (int) parser.currentTokenLocation().getByteOffset();
            boolean string = parser.currentToken() == JsonToken.VALUE_STRING;
            byte[] text = string ? parser.getString().getBytes(StandardCharsets.UTF_8) : new byte[0];
            parser.skipChildren();
            parser.finishToken();
            int to = base + (int) parser.currentLocation().getByteOffset();
            out.write(json, copied, from - copied);
            out.writeBytes(
                    hash(string ? text : Arrays.copyOfRange(json, from, to)).getBytes(StandardCharsets.UTF_8));
            copied = to;
        }

        void rest(int to) {
            out.write(json, copied, to - copied);
        }
    }
}
