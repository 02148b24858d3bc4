package io.evenkeel.cli.bench.scale;

import io.evenkeel.api.json.Json;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;

/**
 * What a process that watches a fleet came to. It prints it as a line, which the measuring process reads.
 *
 * @param seconds from its start until all was watched
 * @param heapMib heap after a full collection, in MiB
 * @param threads how many it had
 * @param lists LIST requests that it sent
 * @param clusters that it watches
 * @param objects that it holds; 0 for a process that holds none
 */
public record Footprint(double seconds, long heapMib, int threads, long lists, int clusters, long objects) {
    private static final String MARK = "footprint ";
    private static final long MEBIBYTE = 1 << 20;

    /** A line that holds one, as a regular expression. */
    static final String LINE = "^" + MARK;

    /** Of this process. */
    static Footprint now(long begunNanos, long lists, int clusters, long objects) {
        double seconds = (System.nanoTime() - begunNanos) / 1e9;
        return new Footprint(
                Math.round(seconds * 10) / 10.0,
                heapAfterCollection() / MEBIBYTE,
                ManagementFactory.getThreadMXBean().getThreadCount(),
                lists,
                clusters,
                objects);
    }

    /** Bytes of heap in use after a full collection. */
    public static long heapAfterCollection() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    String line() {
        return MARK + new String(Json.write(this), StandardCharsets.UTF_8);
    }

    static Footprint parse(String line) {
        return Json.read(line.substring(MARK.length()).getBytes(StandardCharsets.UTF_8), Footprint.class);
    }
}
