package io.evenkeel.watcher;

import io.evenkeel.api.record.Selection;
import io.evenkeel.runtime.settings.ValueType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * One entry of {@code watcher.resources}: a resource, or all of them, and which of its objects.
 *
 * @param name absent for everything that can be listed and watched and is not excluded
 * @param selection which objects
 */
public record WatchedResource(Optional<ResourceName> name, Selection selection) {
    /** The entries of the setting, separated by commas; a comma in parentheses belongs to a label selector. */
    static final ValueType<List<String>> ENTRIES = new ValueType<>() {
        @Override
        public List<String> read(String text) {
            return LabelSelector.split(text).stream()
                    .filter(entry -> !entry.isEmpty())
                    .toList();
        }

        @Override
        public String show(List<String> value) {
            return String.join(",", value);
        }

        @Override
        public String allowed() {
            return "resources separated by commas";
        }
    };

    private static final String ALL = "*";

    /**
     * Reads {@code <plural>[.<group>] [-n <namespace>] [-l <label selector>]...}, or {@code *} in place of the resource.
     *
     * @throws IllegalArgumentException if the text is none
     */
    public static WatchedResource parse(String text) {
        String[] parts = text.strip().split("\\s+(?=-)");
        Optional<String> namespace = Optional.empty();
        var labels = new ArrayList<String>();
        for (String part : Arrays.asList(parts).subList(1, parts.length)) {
            String[] flag = part.split("\\s+", 2);
            String value = flag.length < 2 ? "" : flag[1].strip();
            switch (flag[0]) {
                case "-n", "--namespace" -> {
                    if (namespace.isPresent() || !value.matches("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")) {
                        throw new IllegalArgumentException(
                                "-n takes one namespace, but '" + text + "' has '" + part + "'");
                    }
                    namespace = Optional.of(value);
                }
                case "-l", "--selector" -> labels.add(value);
                default ->
                    throw new IllegalArgumentException(
                            "a resource may be followed by -n and -l, but '" + text + "' has '" + part + "'");
            }
        }
        Optional<String> selector =
                labels.isEmpty() ? Optional.empty() : Optional.of(LabelSelector.normalized(String.join(",", labels)));
        Optional<ResourceName> name =
                parts[0].equals(ALL) ? Optional.empty() : Optional.of(ResourceName.parse(parts[0]));
        return new WatchedResource(name, new Selection(selector, namespace));
    }

    boolean isEverything() {
        return name.isEmpty();
    }

    @Override
    public String toString() {
        String resource = name.map(ResourceName::toString).orElse(ALL);
        return selection.seesAll()
                ? resource
                : resource
                        + selection.namespace().map(text -> " -n " + text).orElse("")
                        + selection.labels().stream()
                                .flatMap(text -> LabelSelector.split(text).stream())
                                .map(text -> " -l " + text)
                                .reduce("", String::concat);
    }
}
