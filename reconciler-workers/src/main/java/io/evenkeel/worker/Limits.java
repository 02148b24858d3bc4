package io.evenkeel.worker;

import io.evenkeel.runtime.settings.Catalogue;
import io.evenkeel.runtime.settings.Setting;
import io.evenkeel.runtime.settings.Settings;

/**
 * How much one worker process does at one time.
 *
 * @param concurrency attempts at one time per controller that does not say so itself, 1 to 100,000
 * @param concurrencyPerCluster most of them for one cluster, 1 to 100,000; 0 for half of the controller's where there are
 *     many clusters, and all where there is one
 * @param totalConcurrency attempts at one time of all controllers together, 1 to 1,000,000
 * @param requestsPerSecond requests a second to one cluster, up to 100,000; 0 for no limit
 * @param requestBurst requests that may go to one cluster at once after a quiet time, 1 to 100,000
 */
public record Limits(
        int concurrency, int concurrencyPerCluster, int totalConcurrency, int requestsPerSecond, int requestBurst) {
    private static final int MOST = 100_000;

    /** Attempts at one time per controller. */
    public static final Setting<Integer> CONCURRENCY =
            Setting.integer("worker.concurrency", 256, 1, MOST, "attempts at one time per controller in this process");

    /** Attempts at one time per controller and cluster. */
    public static final Setting<Integer> CONCURRENCY_PER_CLUSTER = Setting.integer(
            "worker.concurrency-per-cluster",
            0,
            0,
            MOST,
            "attempts at one time per controller for one cluster; 0 for half of the controller's,"
                    + " or all if there is one cluster only");

    /** Attempts at one time in the process. */
    public static final Setting<Integer> TOTAL_CONCURRENCY = Setting.integer(
            "worker.total-concurrency",
            1_024,
            1,
            1_000_000,
            "attempts at one time of all controllers of this process together");

    /** Requests a second to one cluster. */
    public static final Setting<Integer> REQUESTS_PER_SECOND = Setting.integer(
            "worker.requests-per-second",
            0,
            0,
            MOST,
            "requests a second to one cluster; 0 for no limit: the API server's own priority and fairness holds");

    /** Requests at once. */
    public static final Setting<Integer> REQUEST_BURST = Setting.integer(
            "worker.request-burst", 100, 1, MOST, "requests to one cluster that may go at once after a quiet time");

    /** All of them. */
    public static final Catalogue CATALOGUE =
            Catalogue.of(CONCURRENCY, CONCURRENCY_PER_CLUSTER, TOTAL_CONCURRENCY, REQUESTS_PER_SECOND, REQUEST_BURST);

    /** What holds unless something else is said. */
    public static final Limits DEFAULT = new Limits(
            CONCURRENCY.fallback(),
            CONCURRENCY_PER_CLUSTER.fallback(),
            TOTAL_CONCURRENCY.fallback(),
            REQUESTS_PER_SECOND.fallback(),
            REQUEST_BURST.fallback());

    /** What the settings say. */
    static Limits from(Settings settings) {
        return new Limits(
                settings.value(CONCURRENCY),
                settings.value(CONCURRENCY_PER_CLUSTER),
                settings.value(TOTAL_CONCURRENCY),
                settings.value(REQUESTS_PER_SECOND),
                settings.value(REQUEST_BURST));
    }

    /** This, with so many attempts at one time per controller, and at least as many in total. */
    public Limits withConcurrency(int attempts) {
        return new Limits(
                attempts, concurrencyPerCluster, Math.max(attempts, totalConcurrency), requestsPerSecond, requestBurst);
    }

    /**
     * Most attempts at one time for one cluster of a controller with that limit. Attempts on a cluster that hangs must not
     * take all permits before it is known to hang.
     */
    int perCluster(int limit, boolean oneCluster) {
        if (concurrencyPerCluster > 0) {
            return Math.min(limit, concurrencyPerCluster);
        }
        return oneCluster ? limit : Math.max(1, limit / 2);
    }
}
