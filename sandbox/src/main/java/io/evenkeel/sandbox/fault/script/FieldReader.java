package io.evenkeel.sandbox.fault.script;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads the fields of one map. What it is asked for is what the map may have: {@link #close} reports the rest. Not
 * thread-safe.
 */
final class FieldReader implements AutoCloseable {
    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");

    private final String place;
    private final YamlNode.Fields node;
    private final Problems problems;
    private final Set<String> allowed = new LinkedHashSet<>();

    private FieldReader(String place, YamlNode.Fields node, Problems problems) {
        this.place = place;
        this.node = node;
        this.problems = problems;
    }

    /** @param node what should be a map; anything else but nothing is reported */
    static FieldReader of(String place, YamlNode node, Problems problems) {
        return switch (node) {
            case YamlNode.Fields fields -> new FieldReader(place, fields, problems);
            case YamlNode.Text text
            when text.text().isEmpty() -> new FieldReader(place, new YamlNode.Fields(text.line(), Map.of()), problems);
            case YamlNode.Text text -> notAMap(place, text, problems);
            case YamlNode.Items items -> notAMap(place, items, problems);
        };
    }

    private static FieldReader notAMap(String place, YamlNode node, Problems problems) {
        problems.add(node.line(), place + " must be a map");
        return new FieldReader(place, new YamlNode.Fields(node.line(), Map.of()), problems);
    }

    int line() {
        return node.line();
    }

    /** The keys there are, known or not. */
    Set<String> keys() {
        return node.fields().keySet();
    }

    Optional<YamlNode> node(String key) {
        allowed.add(key);
        return Optional.ofNullable(node.fields().get(key));
    }

    Optional<String> text(String key) {
        return value(key, "a text", text -> text.isEmpty() ? Optional.empty() : Optional.of(text));
    }

    Optional<Long> whole(String key, long least, long most) {
        String range = most == Long.MAX_VALUE ? least + " or more" : least + " to " + most;
        return value(
                key,
                "a whole number, " + range,
                text -> text.matches("[0-9]{1,15}")
                        ? Optional.of(Long.valueOf(text)).filter(number -> number >= least && number <= most)
                        : Optional.empty());
    }

    Optional<Double> probability(String key) {
        return value(key, "a number above 0 and up to 1", text -> {
            try {
                return Optional.of(Double.valueOf(text)).filter(number -> number > 0 && number <= 1);
            } catch (NumberFormatException e) {
                return Optional.empty();
            }
        });
    }

    Optional<Duration> duration(String key) {
        return value(key, "a duration such as 150ms, 2s, 5m or 1h", text -> {
            Matcher matcher = DURATION.matcher(text);
            if (!matcher.matches()) {
                return Optional.empty();
            }
            long number = Long.parseLong(matcher.group(1));
            return Optional.of(
                    switch (matcher.group(2)) {
                        case "ms" -> Duration.ofMillis(number);
                        case "s" -> Duration.ofSeconds(number);
                        case "m" -> Duration.ofMinutes(number);
                        default -> Duration.ofHours(number);
                    });
        });
    }

    <E extends Enum<E>> Optional<E> choice(String key, Class<E> type) {
        return value(key, "one of " + words(type), text -> named(text, type));
    }

    /** One, or a list. */
    <E extends Enum<E>> List<E> choices(String key, Class<E> type) {
        List<E> chosen = new ArrayList<>();
        for (YamlNode.Text item : plain(key)) {
            named(item.text(), type).ifPresentOrElse(chosen::add, () -> wrong(key, "one of " + words(type), item));
        }
        return chosen;
    }

    /** One, or a list. */
    List<String> texts(String key) {
        return plain(key).stream().map(YamlNode.Text::text).toList();
    }

    /** Says what a field that must be there should be. */
    void missing(String key, String what) {
        problems.add(node.line(), place + "." + key + " is missing; it must be " + what);
    }

    void problem(String text) {
        problems.add(node.line(), place + " " + text);
    }

    private List<YamlNode.Text> plain(String key) {
        List<YamlNode> items = node(key)
                .map(found -> found instanceof YamlNode.Items list ? list.items() : List.of(found))
                .orElse(List.of());
        List<YamlNode.Text> texts = new ArrayList<>();
        for (YamlNode item : items) {
            if (item instanceof YamlNode.Text text && !text.text().isEmpty()) {
                texts.add(text);
            } else {
                problems.add(item.line(), place + "." + key + " must be a text or a list of texts");
            }
        }
        return texts;
    }

    private <T> Optional<T> value(String key, String what, Function<String, Optional<T>> parser) {
        Optional<YamlNode> found = node(key);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        if (!(found.get() instanceof YamlNode.Text text)) {
            problems.add(found.get().line(), place + "." + key + " must be " + what);
            return Optional.empty();
        }
        Optional<T> value = parser.apply(text.text());
        if (value.isEmpty()) {
            wrong(key, what, text);
        }
        return value;
    }

    private void wrong(String key, String what, YamlNode.Text text) {
        problems.add(text.line(), place + "." + key + " must be " + what + " but is \"" + text.text() + "\"");
    }

    private static <E extends Enum<E>> Optional<E> named(String text, Class<E> type) {
        return Arrays.stream(type.getEnumConstants())
                .filter(constant -> word(constant).equals(text))
                .findFirst();
    }

    private static <E extends Enum<E>> String words(Class<E> type) {
        return Arrays.stream(type.getEnumConstants()).map(FieldReader::word).collect(Collectors.joining(", "));
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Reports the fields that nobody asked for. */
    @Override
    public void close() {
        node.fields().forEach((key, value) -> {
            if (!allowed.contains(key)) {
                String may = allowed.isEmpty() ? "nothing" : String.join(", ", allowed);
                problems.add(
                        value.line(),
                        place + " has no field " + key + "; it may have " + may + Nearest.hint(key, allowed));
            }
        });
    }
}
