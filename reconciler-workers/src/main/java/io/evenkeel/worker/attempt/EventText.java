package io.evenkeel.worker.attempt;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Brings what an Event of {@code events.k8s.io/v1} says within the limits of the API server's validation. */
public final class EventText {
    private static final int LONGEST_NAME = 200;
    private static final int LONGEST_REASON = 128;
    private static final int LONGEST_NOTE_BYTES = 1_024;

    private EventText() {}

    /** The beginning of an Event's name: a DNS subdomain that something can be appended to behind a dot. */
    public static String namePrefix(String objectName) {
        // Roles may hold a colon in their names.
        String name = objectName.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.-]", "-");
        name = name.substring(0, Math.min(LONGEST_NAME, name.length())).replaceAll("\\.+", ".");
        return name.replaceAll("[.-]+(\\.)|(\\.)[-.]+", ".").replaceAll("^[.-]+|[.-]+$", "");
    }

    /** A reason of at most 128 characters. */
    public static String reason(String text) {
        return text.substring(0, Math.min(LONGEST_REASON, text.length()));
    }

    /** A note of at most 1,024 bytes, cut between characters. */
    public static String note(String text) {
        if (text.getBytes(StandardCharsets.UTF_8).length <= LONGEST_NOTE_BYTES) {
            return text;
        }
        int bytes = 0;
        int end = 0;
        while (end < text.length()) {
            int character = text.codePointAt(end);
            bytes += Character.toString(character).getBytes(StandardCharsets.UTF_8).length;
            if (bytes > LONGEST_NOTE_BYTES) {
                break;
            }
            end += Character.charCount(character);
        }
        return text.substring(0, end);
    }
}
