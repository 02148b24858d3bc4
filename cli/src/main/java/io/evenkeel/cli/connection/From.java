package io.evenkeel.cli.connection;

import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Locale;

/** Where reading a topic starts; exactly one of these. */
public sealed interface From {
    /** With the oldest record that is kept. */
    record Beginning() implements From {}

    /** With the next record that is written. */
    record Now() implements From {}

    /**
     * With the first record that was written at that time or later.
     *
     * @param instant the time
     */
    record Time(Instant instant) implements From {}

    /**
     * Reads what a person typed: {@code beginning}, {@code now}, a time such as {@code 2026-11-30T09:14:02Z},
     * {@code 2026-11-30T09:14} (local) or {@code 2026-11-30}, or how long ago, such as {@code 15m}.
     *
     * @throws IllegalArgumentException naming the forms that are understood
     */
    static From parse(String text, Clock clock, ZoneId zone) {
        return switch (text) {
            case "beginning" -> new Beginning();
            case "now" -> new Now();
            default -> new Time(time(text, clock, zone));
        };
    }

    private static Instant time(String text, Clock clock, ZoneId zone) {
        try {
            if (text.matches("[0-9]+[smhd]")) {
                String unit = text.toUpperCase(Locale.ROOT);
                return clock.instant().minus(Duration.parse(unit.endsWith("D") ? "P" + unit : "PT" + unit));
            }
            if (text.matches(".*(Z|[+-][0-9]{2}:[0-9]{2})")) {
                return java.time.OffsetDateTime.parse(text).toInstant();
            }
            return text.contains("T")
                    ? LocalDateTime.parse(text).atZone(zone).toInstant()
                    : LocalDate.parse(text).atStartOfDay(zone).toInstant();
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no starting point: say beginning, now, a time such as 2026-11-30T09:14:02Z or"
                            + " 2026-11-30T09:14 (local), or how long ago, such as 15m, 2h or 3d",
                    e);
        }
    }
}
