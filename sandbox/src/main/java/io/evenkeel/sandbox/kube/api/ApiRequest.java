package io.evenkeel.sandbox.kube.api;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One request to one cluster, free of HTTP's forms.
 *
 * @param path decoded segments below the address of the cluster
 * @param query first value of each parameter
 * @param user who asks, as authentication found out
 */
public record ApiRequest(
        String method,
        List<String> path,
        Map<String, String> query,
        String accept,
        String contentType,
        String userAgent,
        Body body,
        User user) {

    /** The bytes that came with a request; none for most. Not to be changed. */
    public static final class Body {
        public static final Body EMPTY = new Body(new byte[0]);

        private final byte[] bytes;

        public Body(byte[] bytes) {
            this.bytes = bytes;
        }

        public byte[] bytes() {
            return bytes;
        }

        public boolean isEmpty() {
            return bytes.length == 0;
        }
    }

    /** The type of the body without its parameters. */
    public String mediaType() {
        return contentType.split(";", -1)[0].trim();
    }

    /** The value of a parameter, or an empty string. */
    public String parameter(String name) {
        return query.getOrDefault(name, "");
    }

    /** True if the parameter is given and says neither {@code false} nor {@code 0}. */
    public boolean flag(String name) {
        return query.containsKey(name)
                && !parameter(name).equalsIgnoreCase("false")
                && !parameter(name).equals("0");
    }

    /** What form of answer the client prefers, by the {@code as} parameter of the first media type that names one. */
    public Form form() {
        for (String type : accept.split(",", -1)) {
            if (type.contains("as=Table")) {
                return Form.TABLE;
            }
            if (type.contains("as=PartialObjectMetadata")) {
                return Form.METADATA;
            }
            if (isPlainJson(type)) {
                return Form.OBJECT;
            }
        }
        return Form.OBJECT;
    }

    /** False if the client takes no form of answer that is offered. */
    public boolean acceptsJson() {
        if (accept.isBlank()) {
            return true;
        }
        for (String type : accept.split(",", -1)) {
            if (isPlainJson(type)
                    || type.contains("application/json")
                    || type.contains("*/*")
                    || type.contains("application/*")) {
                return true;
            }
        }
        return false;
    }

    private static boolean isPlainJson(String type) {
        return type.strip().equals("application/json") || type.strip().equals("*/*");
    }

    /** The parameter as a number; empty if it is absent. */
    public Optional<Long> number(String name) {
        String value = parameter(name);
        try {
            return value.isEmpty() ? Optional.empty() : Optional.of(Long.parseLong(value));
        } catch (NumberFormatException e) {
            throw ApiFailure.badRequest("strconv.ParseInt: parsing \"" + value + "\": invalid syntax");
        }
    }

    /** The forms in which objects are shown. */
    public enum Form {
        OBJECT,
        TABLE,
        METADATA
    }
}
