package io.evenkeel.watcher;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads label selectors as kubectl takes them. */
final class LabelSelector {
    private static final String KEY = "(?:[a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?";
    private static final String VALUE = "[-A-Za-z0-9_.]*";
    private static final Pattern EXISTS = Pattern.compile("!?\\s*" + KEY);
    private static final Pattern EQUAL = Pattern.compile("(" + KEY + ")\\s*(=|==|!=)\\s*(" + VALUE + ")");
    private static final Pattern ONE_OF = Pattern.compile("(?<key>" + KEY + ")\\s+(?<how>in|notin)\\s*\\((?<values>\\s*"
            + VALUE + "(\\s*,\\s*" + VALUE + ")*\\s*)\\)");

    private LabelSelector() {}

    /**
     * The selector in one spelling: what means the same and is written alike but for order and spaces becomes equal.
     *
     * @throws IllegalArgumentException if it is no selector
     */
    static String normalized(String text) {
        return String.join(
                ",",
                split(text).stream().map(LabelSelector::requirement).sorted().toList());
    }

    private static String requirement(String text) {
        Matcher oneOf = ONE_OF.matcher(text);
        if (oneOf.matches()) {
            return oneOf.group("key") + " " + oneOf.group("how") + " ("
                    + oneOf.group("values").replaceAll("\\s", "") + ")";
        }
        if (EQUAL.matcher(text).matches() || EXISTS.matcher(text).matches()) {
            return text.replaceAll("\\s", "").replace("==", "=");
        }
        throw new IllegalArgumentException("'" + text + "' is no label selector such as app=web, tier!=db, app, !app,"
                + " or 'tier in (a,b)'; where a list of resources is written on"
                + " one line, give each condition a -l of its own");
    }

    /** The parts between commas, but not those in parentheses. */
    static List<String> split(String text) {
        var parts = new ArrayList<String>();
        int depth = 0;
        int from = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '(') {
                depth++;
            } else if (c == ')') {
                depth--;
            } else if (c == ',' && depth == 0) {
                parts.add(text.substring(from, i).strip());
                from = i + 1;
            }
        }
        parts.add(text.substring(from).strip());
        return parts;
    }
}
