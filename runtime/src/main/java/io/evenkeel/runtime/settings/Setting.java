package io.evenkeel.runtime.settings;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One thing that may be configured: its key, how its text is read, its default and what it means.
 *
 * @param key kebab-case, grouped by module, such as {@code watcher.page-size}
 * @param type how its text is read and which values are allowed
 * @param fallback the value if none is configured
 * @param secret whether its value is never shown
 * @param description one line for people, without a full stop
 * @param <T> type of the value
 */
public record Setting<T>(String key, ValueType<T> type, T fallback, boolean secret, String description) {
    /** @throws IllegalArgumentException if the key is not kebab-case with a group */
    public Setting {
        if (!key.matches("[a-z0-9]+(-[a-z0-9]+)*(\\.[a-z0-9]+(-[a-z0-9]+)*)+")) {
            throw new IllegalArgumentException("a setting's key is kebab-case with a group but this is '" + key + "'");
        }
    }

    /** A whole number from {@code min} to {@code max}. */
    public static Setting<Integer> integer(String key, int fallback, int min, int max, String description) {
        ValueType<Integer> type = ValueTypes.wholeNumber(min, max).map(Math::toIntExact, Integer::longValue);
        return new Setting<>(key, type, fallback, false, description);
    }

    /** A whole number from {@code min} to {@code max}. */
    public static Setting<Long> wholeNumber(String key, long fallback, long min, long max, String description) {
        return new Setting<>(key, ValueTypes.wholeNumber(min, max), fallback, false, description);
    }

    /** A duration as a whole number of milliseconds; the key says so by ending in {@code -millis}. */
    public static Setting<Duration> millis(
            String key, Duration fallback, Duration min, Duration max, String description) {
        ValueType<Duration> type =
                ValueTypes.wholeNumber(min.toMillis(), max.toMillis()).map(Duration::ofMillis, Duration::toMillis);
        return new Setting<>(key, type, fallback, false, description);
    }

    /** {@code true} or {@code false}. */
    public static Setting<Boolean> flag(String key, boolean fallback, String description) {
        return new Setting<>(key, ValueTypes.FLAG, fallback, false, description);
    }

    /** A text that is not empty. */
    public static Setting<String> text(String key, String fallback, String description) {
        return new Setting<>(key, ValueTypes.TEXT, fallback, false, description);
    }

    /** A text that may be left out. */
    public static Setting<Optional<String>> optionalText(String key, String description) {
        return new Setting<>(key, ValueTypes.optional(ValueTypes.TEXT), Optional.empty(), false, description);
    }

    /** One of an enum's values, written in kebab-case. */
    public static <E extends Enum<E>> Setting<E> choice(String key, E fallback, Class<E> choices, String description) {
        return new Setting<>(key, ValueTypes.choice(choices), fallback, false, description);
    }

    /** A file or folder. */
    public static Setting<Path> path(String key, Path fallback, String description) {
        return new Setting<>(key, ValueTypes.PATH, fallback, false, description);
    }

    /** A file or folder that may be left out. */
    public static Setting<Optional<Path>> optionalPath(String key, String description) {
        return new Setting<>(key, ValueTypes.optional(ValueTypes.PATH), Optional.empty(), false, description);
    }

    /** Texts, separated by commas or, in a file, as a list. */
    public static Setting<List<String>> list(String key, List<String> fallback, String description) {
        return new Setting<>(key, ValueTypes.LIST, List.copyOf(fallback), false, description);
    }

    /** A text that is never shown and may be left out. */
    public static Setting<Optional<Secret>> secret(String key, String description) {
        ValueType<Secret> type = ValueTypes.TEXT.map(Secret::new, Secret::toString);
        return new Setting<>(key, ValueTypes.optional(type), Optional.empty(), true, description);
    }

    /** The environment variable that sets it, such as {@code EVENKEEL_WATCHER_PAGE_SIZE}. */
    public String variable() {
        return Environment.variable(key);
    }

    /** A value as it is shown to people; empty for a value that is absent. */
    String show(T value) {
        String shown = type.show(value);
        return secret && !shown.isEmpty() ? Secret.HIDDEN : shown;
    }
}
