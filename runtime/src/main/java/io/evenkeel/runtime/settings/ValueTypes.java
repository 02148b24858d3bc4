package io.evenkeel.runtime.settings;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The value types that settings have. */
final class ValueTypes {
    static final ValueType<String> TEXT = new Simple<>("a text that is not empty", ValueTypes::notEmpty, text -> text);
    static final ValueType<Path> PATH =
            new Simple<>("a path", text -> Path.of(expandHome(notEmpty(text))), Path::toString);
    static final ValueType<Boolean> FLAG = new Simple<>("true or false", ValueTypes::flag, String::valueOf);
    static final ValueType<List<String>> LIST =
            new Simple<>("texts separated by commas", ValueTypes::list, list -> String.join(",", list));

    private ValueTypes() {}

    private record Simple<T>(String allowed, Function<String, T> reader, Function<T, String> shower)
            implements ValueType<T> {
        @Override
        public T read(String text) {
            return reader.apply(text);
        }

        @Override
        public String show(T value) {
            return shower.apply(value);
        }
    }

    static ValueType<Long> wholeNumber(long min, long max) {
        return new Simple<>(
                "a whole number from " + min + " to " + max, text -> between(min, max, text), String::valueOf);
    }

    static <E extends Enum<E>> ValueType<E> choice(Class<E> choices) {
        String allowed = Arrays.stream(choices.getEnumConstants())
                .map(ValueTypes::word)
                .collect(Collectors.joining(", ", "one of ", ""));
        return new Simple<>(
                allowed,
                text -> Arrays.stream(choices.getEnumConstants())
                        .filter(choice -> word(choice).equals(text))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException(text)),
                ValueTypes::word);
    }

    static <T> ValueType<Optional<T>> optional(ValueType<T> type) {
        return new Simple<>(
                type.allowed(),
                text -> Optional.of(type.read(text)),
                value -> value.map(type::show).orElse(""));
    }

    private static String word(Enum<?> choice) {
        return choice.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static long between(long min, long max, String text) {
        long value = Long.parseLong(text);
        if (value < min || value > max) {
            throw new IllegalArgumentException(text);
        }
        return value;
    }

    private static boolean flag(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(text);
        };
    }

    private static List<String> list(String text) {
        return Arrays.stream(text.split(",", -1))
                .map(String::strip)
                .filter(part -> !part.isEmpty())
                .toList();
    }

    private static String notEmpty(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("empty");
        }
        return text;
    }

    private static String expandHome(String text) {
        return text.startsWith("~/") ? System.getProperty("user.home") + text.substring(1) : text;
    }
}
