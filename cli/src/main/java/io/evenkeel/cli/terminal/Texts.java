package io.evenkeel.cli.terminal;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** How times, durations and counts are written for people. */
public final class Texts {
    private static final DateTimeFormatter MILLIS = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS");
    private static final DateTimeFormatter SECONDS = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

    private Texts() {}

    /** Local time with milliseconds. */
    public static String toMillis(Instant time, ZoneId zone) {
        return MILLIS.withZone(zone).format(time);
    }

    /** Local time to the second. */
    public static String toSeconds(Instant time, ZoneId zone) {
        return SECONDS.withZone(zone).format(time);
    }

    /** A duration in its largest fitting unit, such as {@code 3 min}. */
    public static String about(Duration duration) {
        if (duration.compareTo(Duration.ofMinutes(2)) < 0) {
            return Math.max(0, duration.toSeconds()) + " s";
        }
        if (duration.compareTo(Duration.ofHours(2)) < 0) {
            return duration.toMinutes() + " min";
        }
        return duration.compareTo(Duration.ofDays(2)) < 0 ? duration.toHours() + " h" : duration.toDays() + " days";
    }

    /** {@code 1 topic}, {@code 3 topics}. */
    public static String count(int count, String one) {
        return count + " " + (count == 1 ? one : one + "s");
    }

    /** Bytes that may be text: what no terminal should get is shown as {@code \\xNN}. */
    public static String printable(byte[] bytes) {
        var text = new StringBuilder(bytes.length);
        for (byte each : bytes) {
            if ((each >= ' ' && each < 127) || each == '\n' || each == '\t') {
                text.append((char) each);
            } else {
                text.append(String.format(Locale.ROOT, "\\x%02x", each & 0xff));
            }
        }
        return text.toString();
    }

    /** One line of at most {@code most} characters. */
    public static String oneLine(String text, int most) {
        String line = text.replaceAll("\\s+", " ").strip();
        return line.length() <= most ? line : line.substring(0, most - 1) + "…";
    }
}
