package io.evenkeel.sandbox.kube.api;

import java.util.List;
import java.util.Optional;

/**
 * What a selector asks of one label or field.
 *
 * @param operator {@code =} for one of the values, {@code !=} for none of them, {@code >} and {@code <} for numbers,
 *     {@code exists} or {@code absent}
 */
record Requirement(String key, String operator, List<String> values) {
    boolean holds(Optional<String> actual) {
        return switch (operator) {
            case "=" -> actual.map(values::contains).orElse(false);
            case "!=" -> !actual.map(values::contains).orElse(false);
            case "exists" -> actual.isPresent();
            case ">" -> actual.map(value -> compare(value) > 0).orElse(false);
            case "<" -> actual.map(value -> compare(value) < 0).orElse(false);
            default -> actual.isEmpty();
        };
    }

    private int compare(String actual) {
        try {
            return Long.compare(Long.parseLong(actual), Long.parseLong(values.getFirst()));
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
