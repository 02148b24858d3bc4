package io.evenkeel.watcher.frame;

import java.util.ArrayList;
import java.util.List;

/**
 * Where in an object values are replaced: {@code .spec.token}, {@code .data['tls.key']}, {@code .spec.users[*].password}. A
 * member is written after a dot, or in brackets and single quotes if its name holds one of {@code . [ ] ' *} or a space;
 * {@code .*} and {@code [*]} both stand for every member of a map and every element of a list.
 *
 * @param steps from the object's root, at least one
 */
public record RedactionPath(List<RedactionPath.Step> steps) {
    /** One step down; exactly one of these. */
    public sealed interface Step {
        /** Whether a map's member of this name lies on the way. */
        default boolean leadsTo(String name) {
            return switch (this) {
                case Member member -> member.name().equals(name);
                case Each each -> true;
            };
        }
    }

    /**
     * A member of a map.
     *
     * @param name its name
     */
    public record Member(String name) implements Step {}

    /** Every member of a map and every element of a list. */
    public record Each() implements Step {}

    private static final String RESERVED = ".[]'*";

    /** Takes a copy of the steps. */
    public RedactionPath {
        steps = List.copyOf(steps);
    }

    /**
     * Reads what a person wrote.
     *
     * @throws IllegalArgumentException saying what is wrong and at which character, as the end of a sentence that names
     *     the path
     */
    public static RedactionPath parse(String text) {
        var path = new RedactionPath(new Reader(text).steps());
        path.requireHarmless();
        return path;
    }

    /** What names an object, and what the engine lives on, cannot be replaced. */
    private void requireHarmless() {
        if (!(steps.getFirst() instanceof Member(String root))) {
            throw new IllegalArgumentException("has a wildcard at its root; name what is meant, such as .spec.*");
        }
        boolean identity = root.equals("apiVersion") || root.equals("kind");
        boolean metadata = root.equals("metadata")
                && !(steps.size() > 2
                        && steps.get(1) instanceof Member(String field)
                        && (field.equals("annotations") || field.equals("labels")));
        if (identity || metadata) {
            throw new IllegalArgumentException("would replace what names an object; of the metadata only annotations"
                    + " and labels can be replaced, such as .metadata.annotations['example.com/token']");
        }
    }

    /** Goes through a text once. */
    private static final class Reader {
        private final String text;
        private int position;

        Reader(String text) {
            this.text = text;
        }

        List<Step> steps() {
            var steps = new ArrayList<Step>();
            while (position < text.length()) {
                steps.add(step());
            }
            if (steps.isEmpty()) {
                throw new IllegalArgumentException("is empty; write one such as .spec.token");
            }
            return steps;
        }

        private Step step() {
            if (text.startsWith("[*]", position)) {
                position += 3;
                return new Each();
            }
            if (text.startsWith("['", position)) {
                return quoted();
            }
            if (text.charAt(position) != '.') {
                throw wrong("a step begins with '.' or is [*] or ['name']");
            }
            position++;
            if (text.startsWith("*", position)) {
                position++;
                return new Each();
            }
            int from = position;
            while (position < text.length() && isPlain(text.charAt(position))) {
                position++;
            }
            if (position == from) {
                throw wrong("a name is missing");
            }
            return new Member(text.substring(from, position));
        }

        private Step quoted() {
            int end = text.indexOf("']", position);
            if (end < 0) {
                throw wrong("[' is not closed by ']");
            }
            if (end == position + 2) {
                throw wrong("a name is missing");
            }
            String name = text.substring(position + 2, end);
            position = end + 2;
            return new Member(name);
        }

        private static boolean isPlain(char c) {
            return RESERVED.indexOf(c) < 0 && !Character.isWhitespace(c);
        }

        private IllegalArgumentException wrong(String what) {
            return new IllegalArgumentException("is malformed at character " + (position + 1) + ": " + what);
        }
    }
}
