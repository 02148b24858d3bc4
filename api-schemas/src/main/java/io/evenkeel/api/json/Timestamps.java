package io.evenkeel.api.json;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;

/** Times as text: ISO 8601 in UTC, as {@link Instant#toString()} writes it. */
public final class Timestamps {
    private static final int SECONDS_END = 19;
    private static final int LONGEST_FRACTION = 9;
    private static final long LAST_OF_FOUR_DIGITS = 253_402_300_799L;
    private static final int SECONDS_OF_DAY = 86_400;
    private static final int[] NANOS_PER_UNIT = {
        0, 100_000_000, 10_000_000, 1_000_000, 100_000, 10_000, 1_000, 100, 10, 1
    };

    private Timestamps() {}

    /**
     * Reads a time. Every record carries a few of them, and the JDK's formatter takes microseconds for each, so the usual
     * form is read directly, and any other is left to {@link Instant#parse}.
     *
     * @throws java.time.DateTimeException if the text is not a time
     */
    public static Instant parse(String text) {
        int end = text.length() - 1;
        if (!isUsual(text, end)) {
            return Instant.parse(text);
        }
        int hour = number(text, 11, 13);
        int second = number(text, 17, SECONDS_END);
        if (hour > 23 || second > 59) {
            return Instant.parse(text); // midnight as 24:00 and leap seconds have rules of their own
        }
        int nanos = end == SECONDS_END ? 0 : number(text, SECONDS_END + 1, end) * NANOS_PER_UNIT[end - SECONDS_END - 1];
        LocalDate date = LocalDate.of(number(text, 0, 4), number(text, 5, 7), number(text, 8, 10));
        LocalTime time = LocalTime.of(hour, number(text, 14, 16), second, nanos);
        return date.atTime(time).toInstant(ZoneOffset.UTC);
    }

    /** What {@link Instant#toString} writes, in less time: whole seconds, or a fraction of three, six or nine digits. */
    public static String format(Instant time) {
        long second = time.getEpochSecond();
        if (second < 0 || second > LAST_OF_FOUR_DIGITS) {
            return time.toString();
        }
        int nanos = time.getNano();
        int digits = nanos == 0 ? 0 : nanos % 1_000_000 == 0 ? 3 : nanos % 1_000 == 0 ? 6 : LONGEST_FRACTION;
        byte[] text = new byte[digits == 0 ? SECONDS_END + 1 : SECONDS_END + 2 + digits];
        LocalDate date = LocalDate.ofEpochDay(second / SECONDS_OF_DAY);
        int ofDay = (int) (second % SECONDS_OF_DAY);
        write(text, 0, 4, date.getYear(), '-');
        write(text, 5, 2, date.getMonthValue(), '-');
        write(text, 8, 2, date.getDayOfMonth(), 'T');
        write(text, 11, 2, ofDay / 3_600, ':');
        write(text, 14, 2, ofDay / 60 % 60, ':');
        write(text, 17, 2, ofDay % 60, digits == 0 ? 'Z' : '.');
        if (digits > 0) {
            write(text, SECONDS_END + 1, digits, nanos / NANOS_PER_UNIT[digits], 'Z');
        }
        return new String(text, StandardCharsets.ISO_8859_1);
    }

    /** A number with leading zeros, and the sign behind it. */
    private static void write(byte[] text, int from, int digits, int number, char behind) {
        int rest = number;
        for (int i = from + digits - 1; i >= from; i--) {
            text[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        text[from + digits] = (byte) behind;
    }

    /** Whether it is {@code 2026-11-30T09:14:02[.113]Z}, by its signs. */
    private static boolean isUsual(String text, int end) {
        if (end < SECONDS_END || end > SECONDS_END + 1 + LONGEST_FRACTION || end == SECONDS_END + 1) {
            return false;
        }
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            boolean fits = switch (i) {
                case 4, 7 -> c == '-';
                case 10 -> c == 'T';
                case 13, 16 -> c == ':';
                case SECONDS_END -> c == '.';
                default -> c >= '0' && c <= '9';
            };
            if (!fits) {
                return false;
            }
        }
        return text.charAt(end) == 'Z';
    }

    private static int number(String text, int from, int to) {
        int number = 0;
        for (int i = from; i < to; i++) {
            number = number * 10 + text.charAt(i) - '0';
        }
        return number;
    }
}
