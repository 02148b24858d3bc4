package io.evenkeel.runtime.settings;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Guesses which key was meant. */
final class NearestKey {
    private NearestKey() {}

    /** The key with the fewest typing errors in between, if a person could have meant it. */
    static Optional<String> to(String wrong, Collection<String> keys) {
        String letters = letters(wrong);
        int most = Math.max(2, letters.length() / 4);
        return keys.stream()
                .min(Comparator.comparingInt((String key) -> distance(letters, letters(key)))
                        .thenComparing(Comparator.naturalOrder()))
                .filter(key ->
                        distance(letters, letters(key)) <= most || lastPart(key).equals(lastPart(wrong)));
    }

    /** Which sign separates words is what people mistake most. */
    private static String letters(String key) {
        return key.toLowerCase(java.util.Locale.ROOT).replaceAll("[-_.]", "");
    }

    private static String lastPart(String key) {
        return key.substring(key.lastIndexOf('.') + 1);
    }

    /** Edits (insert, delete, replace) that turn one text into the other: R. Wagner, M. Fischer, 1974. */
    static int distance(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int column = 0; column < row.length; column++) {
            row[column] = column;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int column = 1; column < row.length; column++) {
                int replaced = diagonal + (from.charAt(i - 1) == to.charAt(column - 1) ? 0 : 1);
                diagonal = row[column];
                row[column] = Math.min(replaced, 1 + Math.min(row[column], row[column - 1]));
            }
        }
        return row[to.length()];
    }
}
