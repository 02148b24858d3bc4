package io.evenkeel.sandbox.fault.upstream;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One header field.
 *
 * @param name in any case
 * @param value as sent
 */
public record Header(String name, String value) {
    /** What is between two neighbours and not between the ends: RFC 9110, section 7.6.1. */
    private static final Set<String> HOP_BY_HOP = Set.of(
            "connection",
            "keep-alive",
            "proxy-connection",
            "proxy-authenticate",
            "proxy-authorization",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");

    /** True if the name is this, in any case. */
    public boolean is(String otherName) {
        return name.equalsIgnoreCase(otherName);
    }

    /** Those that a proxy passes on. */
    public static List<Header> endToEnd(List<Header> headers) {
        Set<String> dropped = new HashSet<>(HOP_BY_HOP);
        dropped.addAll(headers.stream()
                .filter(header -> header.is("connection"))
                .flatMap(header -> Arrays.stream(header.value.split(",", -1)))
                .map(name -> name.trim().toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet()));
        return headers.stream()
                .filter(header -> !dropped.contains(header.name.toLowerCase(Locale.ROOT)))
                .toList();
    }
}
