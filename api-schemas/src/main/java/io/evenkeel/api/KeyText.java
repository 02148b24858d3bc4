package io.evenkeel.api;

import java.nio.charset.StandardCharsets;

/** Percent-escapes the parts of a key, so that a part may hold the separator. */
final class KeyText {
    /** Longest part: a Kubernetes name has at most 253 characters; RBAC names are path segments of the same limit. */
    private static final int LONGEST = 253;

    private KeyText() {}

    static String escape(String part) {
        if (!needsEscape(part)) {
            return part;
        }
        var escaped = new StringBuilder(part.length() + 8);
        for (int i = 0; i < part.length(); i++) {
            char c = part.charAt(i);
            if (mustEscape(c)) {
                for (byte b : String.valueOf(c).getBytes(StandardCharsets.UTF_8)) {
                    escaped.append('%').append(hex(b >> 4)).append(hex(b));
                }
            } else {
                escaped.append(c);
            }
        }
        return escaped.toString();
    }

    static String unescape(String part) {
        if (part.indexOf('%') < 0) {
            return part;
        }
        byte[] bytes = new byte[part.length() * 4];
        int length = 0;
        for (int i = 0; i < part.length(); i++) {
            char c = part.charAt(i);
            if (c == '%') {
                if (i + 2 >= part.length()) {
                    throw new IllegalArgumentException("cut percent escape in key part '" + part + "'");
                }
                bytes[length++] = (byte) ((digit(part, i + 1) << 4) | digit(part, i + 2));
                i += 2;
            } else {
                for (byte b : String.valueOf(c).getBytes(StandardCharsets.UTF_8)) {
                    bytes[length++] = b;
                }
            }
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    static String required(String name, String value) {
        if (value.isEmpty()) {
            throw new IllegalArgumentException(name + " must not be empty");
        }
        return limited(name, value);
    }

    static String limited(String name, String value) {
        if (value.length() > LONGEST) {
            throw new IllegalArgumentException(
                    name + " must have at most " + LONGEST + " characters but has " + value.length());
        }
        for (int i = 0; i < value.length(); i++) {
            if (Character.isISOControl(value.charAt(i)) || Character.isSurrogate(value.charAt(i))) {
                throw new IllegalArgumentException(
                        name + " must hold neither control characters nor surrogates, but '" + value + "' does");
            }
        }
        return value;
    }

    private static boolean needsEscape(String part) {
        for (int i = 0; i < part.length(); i++) {
            if (mustEscape(part.charAt(i))) {
                return true;
            }
        }
        return false;
    }

    private static boolean mustEscape(char c) {
        return c == '/' || c == '%';
    }

    private static char hex(int nibble) {
        return "0123456789ABCDEF".charAt(nibble & 0xf);
    }

    private static int digit(String part, int at) {
        int value = Character.digit(part.charAt(at), 16);
        if (value < 0) {
            throw new IllegalArgumentException("bad percent escape in key part '" + part + "'");
        }
        return value;
    }
}
