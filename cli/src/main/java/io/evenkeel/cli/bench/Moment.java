package io.evenkeel.cli.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * A moment of a measurement.
 *
 * @param nanos of the monotonic clock
 * @param cpuNanos processor time of this process until then, in nanoseconds
 */
record Moment(long nanos, long cpuNanos) {
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    static Moment now() {
        return new Moment(System.nanoTime(), SYSTEM.getProcessCpuTime());
    }

    /** How fast {@code count} things went from this moment to {@code end}. */
    Pace paceOf(long count, Moment end) {
        return new Pace(
                Math.round(count * 1e9 / Math.max(1, end.nanos - nanos)),
                Math.round((end.cpuNanos - cpuNanos) / 1e3 / Math.max(1, count)));
    }
}
