package io.evenkeel.sandbox.fault.script;

import java.util.Collection;
import java.util.Comparator;

/** Guesses what somebody meant who typed a word that is not known. Stateless. */
final class Nearest {
    private Nearest() {}

    /** {@code "; did you mean x?"}, or nothing if no known word is near. */
    static String hint(String given, Collection<String> known) {
        int most = Math.max(1, given.length() / 3);
        return known.stream()
                .min(Comparator.comparingInt(word -> distance(given, word)))
                .filter(word -> distance(given, word) <= most)
                .map(word -> "; did you mean " + word + "?")
                .orElse("");
    }

    /** How many letters must be added, removed or replaced (Levenshtein, 1965). */
    private static int distance(String left, String right) {
        int[] above = new int[right.length() + 1];
        for (int j = 0; j <= right.length(); j++) {
            above[j] = j;
        }
        for (int i = 1; i <= left.length(); i++) {
            int[] row = new int[right.length() + 1];
            row[0] = i;
            for (int j = 1; j <= right.length(); j++) {
                int replaced = above[j - 1] + (left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, Math.min(above[j], row[j - 1]) + 1);
            }
            above = row;
        }
        return above[right.length()];
    }
}
