package io.evenkeel.worker.ledger;

/** Compares resourceVersions of one resource. */
public final class Versions {
    private Versions() {}

    /** Whether {@code version} is newer than {@code other}; versions that are no numbers are newer unless equal. */
    public static boolean isAfter(String version, String other) {
        if (isNumber(version) && isNumber(other)) {
            int byLength = Integer.compare(version.length(), other.length());
            return byLength != 0 ? byLength > 0 : version.compareTo(other) > 0;
        }
        return !version.equals(other);
    }

    private static boolean isNumber(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return !text.isEmpty() && (text.length() == 1 || text.charAt(0) != '0');
    }
}
