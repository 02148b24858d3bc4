package io.evenkeel.sandbox.kube.cluster;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.BitSet;
import java.util.Optional;

/** A schedule of five fields in UTC: minute, hour, day of month, month, day of week; {@code *}, lists, ranges, steps. */
final class CronSchedule {
    private static final int LONGEST_SEARCH_MINUTES = 366 * 24 * 60;

    private final BitSet minutes;
    private final BitSet hours;
    private final BitSet days;
    private final BitSet months;
    private final BitSet weekdays;
    private final boolean anyDay;
    private final boolean anyWeekday;

    private CronSchedule(String[] fields) {
        minutes = parse(fields[0], 0, 59);
        hours = parse(fields[1], 0, 23);
        days = parse(fields[2], 1, 31);
        months = parse(fields[3], 1, 12);
        weekdays = parse(fields[4].replace("7", "0"), 0, 6);
        anyDay = fields[2].startsWith("*");
        anyWeekday = fields[4].startsWith("*");
    }

    /** The schedule, or empty if the text is none. */
    static Optional<CronSchedule> parse(String text) {
        String expanded = switch (text.trim()) {
            case "@hourly" -> "0 * * * *";
            case "@daily", "@midnight" -> "0 0 * * *";
            case "@weekly" -> "0 0 * * 0";
            case "@monthly" -> "0 0 1 * *";
            case "@yearly", "@annually" -> "0 0 1 1 *";
            default -> text.trim();
        };
        String[] fields = expanded.split("\\s+", -1);
        try {
            return fields.length == 5 ? Optional.of(new CronSchedule(fields)) : Optional.empty();
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }

    private static BitSet parse(String field, int lowest, int highest) {
        BitSet allowed = new BitSet(highest + 1);
        for (String part : field.split(",", -1)) {
            String[] stepped = part.split("/", -1);
            int step = stepped.length > 1 ? Integer.parseInt(stepped[1]) : 1;
            int from = lowest;
            int to = highest;
            if (!stepped[0].equals("*")) {
                String[] range = stepped[0].split("-", -1);
                from = Integer.parseInt(range[0]);
                to = range.length > 1 ? Integer.parseInt(range[1]) : stepped.length > 1 ? highest : from;
            }
            if (step < 1 || from < lowest || to > highest || from > to) {
                throw new IllegalArgumentException(part);
            }
            for (int value = from; value <= to; value += step) {
                allowed.set(value);
            }
        }
        return allowed;
    }

    /** The first time of the schedule after {@code instant}; empty if there is none within a year. */
    Optional<Instant> after(Instant instant) {
        ZonedDateTime time =
                instant.atZone(ZoneOffset.UTC).truncatedTo(ChronoUnit.MINUTES).plusMinutes(1);
        for (int i = 0; i < LONGEST_SEARCH_MINUTES; i++) {
            if (fits(time)) {
                return Optional.of(time.toInstant());
            }
            time = time.plusMinutes(1);
        }
        return Optional.empty();
    }

    /** The last time of the schedule after one instant and not after another; empty if there is none within a year. */
    Optional<Instant> newest(Instant after, Instant until) {
        ZonedDateTime time = until.atZone(ZoneOffset.UTC).truncatedTo(ChronoUnit.MINUTES);
        for (int i = 0; i < LONGEST_SEARCH_MINUTES && time.toInstant().isAfter(after); i++) {
            if (fits(time)) {
                return Optional.of(time.toInstant());
            }
            time = time.minusMinutes(1);
        }
        return Optional.empty();
    }

    private boolean fits(ZonedDateTime time) {
        boolean day = days.get(time.getDayOfMonth());
        boolean weekday = weekdays.get(time.getDayOfWeek().getValue() % 7);
        // Where both fields are restricted, either is enough.
        boolean date = (anyDay || anyWeekday) ? (day && weekday) : (day || weekday);
        return minutes.get(time.getMinute()) && hours.get(time.getHour()) && months.get(time.getMonthValue()) && date;
    }
}
