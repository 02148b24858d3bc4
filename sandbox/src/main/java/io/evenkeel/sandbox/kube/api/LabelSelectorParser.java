package io.evenkeel.sandbox.kube.api;

import io.evenkeel.sandbox.kube.schema.Violation;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the written form of a label selector, and complains about a broken one as a real server does. */
final class LabelSelectorParser {
    private static final Pattern TOKEN = Pattern.compile("\\s*(==|!=|[=!(),<>]|[^\\s=!(),<>]+|$)");
    private static final Set<String> SYMBOLS = Set.of("==", "=", "!=", "!", "(", ")", ",", "<", ">", "");
    private static final Map<String, String> OPERATORS =
            Map.of("=", "=", "==", "=", "!=", "!=", "in", "=", "notin", "!=", ">", ">", "<", "<", "gt", ">", "lt", "<");

    private final List<String> tokens = new ArrayList<>();
    private int at;

    private LabelSelectorParser(String text) {
        Matcher token = TOKEN.matcher(text);
        while (token.find()) {
            tokens.add(token.group(1));
        }
    }

    /** @throws ApiFailure 400 if the selector cannot be parsed */
    static List<Requirement> parse(String text) {
        return new LabelSelectorParser(text).requirements();
    }

    private List<Requirement> requirements() {
        List<Requirement> requirements = new ArrayList<>();
        while (!next().isEmpty()) {
            if (!isWord(next()) && !next().equals("!")) {
                throw refused(found(next(), "!, identifier, or 'end of string'"));
            }
            requirements.add(requirement());
            String separator = take();
            if (!separator.isEmpty() && !separator.equals(",")) {
                throw refused(found(separator, "',' or 'end of string'"));
            }
            if (separator.equals(",") && !isWord(next()) && !next().equals("!")) {
                throw refused(found(next(), "identifier after ','"));
            }
        }
        return requirements;
    }

    private Requirement requirement() {
        boolean absent = next().equals("!");
        if (absent) {
            take();
        }
        String key = word("identifier");
        checked(Patterns.qualifiedName("<nil>", key));
        if (absent || next().isEmpty() || next().equals(",")) {
            return new Requirement(key, absent ? "absent" : "exists", List.of());
        }
        String written = take();
        String operator = OPERATORS.getOrDefault(written, "");
        if (operator.isEmpty()) {
            throw unreadable(found(written, "in, notin, =, ==, !=, gt, lt"));
        }
        Set<String> values = written.equals("in") || written.equals("notin") ? set() : Set.of(value());
        int position = 0;
        for (String value : values) {
            checked(Patterns.labelValue("values[" + position++ + "][" + key + "]", value));
        }
        return new Requirement(key, operator, List.copyOf(values));
    }

    private String value() {
        return next().isEmpty() || next().equals(",") ? "" : word("identifier");
    }

    /** The values in parentheses; nothing between two separators is an empty value. */
    private Set<String> set() {
        if (!next().equals("(")) {
            throw unreadable("found '" + next() + "' expected: '('");
        }
        take();
        if (!isWord(next()) && !next().equals(",") && !next().equals(")")) {
            throw unreadable(found(next(), "',', ')' or identifier"));
        }
        Set<String> values = new LinkedHashSet<>();
        while (true) {
            values.add(isWord(next()) ? take() : "");
            String separator = take();
            if (separator.equals(")")) {
                return values;
            }
            if (!separator.equals(",")) {
                throw unreadable(found(separator, "',' or ')'"));
            }
        }
    }

    private String word(String expected) {
        String token = take();
        if (!isWord(token)) {
            throw unreadable(found(token, expected));
        }
        return token;
    }

    private String next() {
        return at < tokens.size() ? tokens.get(at) : "";
    }

    private String take() {
        String token = next();
        at++;
        return token;
    }

    private static boolean isWord(String token) {
        return !SYMBOLS.contains(token);
    }

    private static String found(String token, String expected) {
        return "found '" + token + "', expected: " + expected;
    }

    private static void checked(List<Violation> violations) {
        violations.stream().findFirst().ifPresent(wrong -> {
            throw unreadable(wrong.field() + ": " + wrong.message());
        });
    }

    private static ApiFailure unreadable(String why) {
        return refused("unable to parse requirement: " + why);
    }

    private static ApiFailure refused(String why) {
        return ApiFailure.badRequest(why);
    }
}
