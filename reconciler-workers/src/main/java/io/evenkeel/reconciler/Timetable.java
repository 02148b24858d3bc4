package io.evenkeel.reconciler;

import com.cronutils.model.Cron;
import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * When an object is reconciled although nothing changed. The next time is drawn when an attempt ends well and is kept on
 * the log, so that it survives every process. Immutable.
 */
public final class Timetable {
    /** Only when something changes. */
    public static final Timetable NONE = new Timetable(Optional.empty(), List.of());

    private static final Duration LEAST_PERIOD = Duration.ofSeconds(1);
    private static final CronParser UNIX = new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));

    private final Optional<Duration> period;
    private final List<Schedule> schedules;

    private record Schedule(Cron cron, ZoneId zone) {
        Optional<Instant> after(Instant time) {
            return ExecutionTime.forCron(cron).nextExecution(time.atZone(zone)).map(next -> next.toInstant());
        }
    }

    private Timetable(Optional<Duration> period, List<Schedule> schedules) {
        this.period = period;
        this.schedules = List.copyOf(schedules);
    }

    /**
     * This, and once each period after the last attempt that ended well, give or take a tenth, so that objects that were
     * first seen together do not come back together.
     *
     * @throws IllegalArgumentException if the period is below 1 s
     */
    public Timetable every(Duration newPeriod) {
        if (newPeriod.compareTo(LEAST_PERIOD) < 0) {
            throw new IllegalArgumentException("a resync period must be 1 s or more but is " + newPeriod);
        }
        return new Timetable(Optional.of(newPeriod), schedules);
    }

    /**
     * This, and at the times of a cron expression: minute, hour, day of the month, month, day of the week.
     *
     * @throws IllegalArgumentException if it is no such expression, or never comes
     */
    public Timetable at(String expression, ZoneId zone) {
        Schedule schedule;
        try {
            schedule = new Schedule(UNIX.parse(expression).validate(), zone);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "'" + expression + "' is not a cron expression of minute, hour, day of month, month, day of week: "
                            + e.getMessage(),
                    e);
        }
        if (schedule.after(Instant.EPOCH).isEmpty()) {
            throw new IllegalArgumentException("the cron expression '" + expression + "' never comes");
        }
        var more = new ArrayList<>(schedules);
        more.add(schedule);
        return new Timetable(period, more);
    }

    /** Whether there is no time in it. */
    public boolean isEmpty() {
        return period.isEmpty() && schedules.isEmpty();
    }

    /** The next time after an attempt that ended at {@code end}; empty if there is none. */
    public Optional<Instant> next(Instant end, RandomGenerator random) {
        return earliest(period.map(time -> end.plusMillis(jittered(time, random))), end);
    }

    /**
     * The first time of an object that has none planned: anywhere within a period, so that a controller which is given a
     * period does not reconcile all its objects at once.
     */
    public Optional<Instant> first(Instant now, RandomGenerator random) {
        return earliest(period.map(time -> now.plusMillis(random.nextLong(time.toMillis() + 1))), now);
    }

    private Optional<Instant> earliest(Optional<Instant> periodic, Instant after) {
        Optional<Instant> soonest = periodic;
        for (Schedule schedule : schedules) {
            Optional<Instant> next = schedule.after(after);
            soonest = soonest.filter(known -> next.isEmpty() || !next.get().isBefore(known))
                    .or(() -> next);
        }
        return soonest;
    }

    private static long jittered(Duration period, RandomGenerator random) {
        long tenth = period.toMillis() / 10;
        return period.toMillis() - tenth + random.nextLong(2 * tenth + 1);
    }
}
