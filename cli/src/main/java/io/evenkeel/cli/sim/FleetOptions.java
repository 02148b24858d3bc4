package io.evenkeel.cli.sim;

import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.process.StartupException;
import io.evenkeel.sandbox.fleet.FleetPlan;
import java.util.Locale;

/**
 * Checks the numbers that describe a fleet, in terms of the flags that they were given with.
 *
 * @param historyWindow changes of each cluster that can still be watched
 */
public record FleetOptions(int clusters, int objects, int changesPerSecond, long seed, int historyWindow) {
    private static final int MOST_HISTORY = 1_000_000;

    /** As measured, with room for what is new; a cluster without objects takes about half a mebibyte. */
    private static final int BYTES_PER_OBJECT = 900;

    private static final int BYTES_PER_CHANGE = 700;
    private static final int BYTES_PER_CLUSTER = 1 << 19;
    private static final int MEBIBYTE = 1 << 20;

    /**
     * The plan of the fleet.
     *
     * @param heapBytes the most that this process may use
     * @throws StartupException if a number is out of range, or if the fleet does not fit into the heap
     */
    public FleetPlan plan(long heapBytes) {
        check("--clusters", clusters, 1, FleetPlan.MOST_CLUSTERS);
        check("--objects", objects, 0, FleetPlan.MOST_OBJECTS);
        check("--churn", changesPerSecond, 0, FleetPlan.MOST_CHANGES_PER_SECOND);
        check("--history", historyWindow, 1, MOST_HISTORY);
        long needed = (long) clusters * (BYTES_PER_CLUSTER + (long) historyWindow * BYTES_PER_CHANGE)
                + (long) objects * BYTES_PER_OBJECT;
        if (needed > heapBytes / 10 * 9) {
            throw new StartupException(
                    ExitCode.USAGE,
                    String.format(
                            Locale.ROOT,
                            "A fleet of %,d clusters and %,d objects needs about %,d MiB of heap, and this process may"
                                    + " use %,d MiB. Take fewer, a shorter --history, or set"
                                    + " EVENKEEL_JAVA_OPTS=-Xmx%dm.",
                            clusters,
                            objects,
                            needed / MEBIBYTE,
                            heapBytes / MEBIBYTE,
                            needed / MEBIBYTE * 5 / 4));
        }
        return new FleetPlan(clusters, objects, changesPerSecond, seed);
    }

    private static void check(String flag, int given, int least, int most) {
        if (given < least || given > most) {
            throw new StartupException(
                    ExitCode.USAGE, flag + " must be " + least + " to " + most + " but is " + given + ".");
        }
    }
}
