package io.evenkeel.cli.bench.work;

import io.evenkeel.cli.bench.scale.Footprint;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A process that is one worker until it is told to end. It says on standard output what the measuring process waits for. */
public final class MeasuredWorkerMain {
    private static final int POLL_MILLIS = 20;
    private static final long MEBIBYTE = 1 << 20;
    private static final long KIBIBYTES_PER_MEBIBYTE = 1 << 10;

    /** It has its partitions. */
    static final String READY = "ready";

    /** Each key was handled; heap and resident memory in MiB follow. */
    static final String HANDLED = "handled";

    /** A change's handler began; its sequence, the time and what passed since it was sent follow, in microseconds. */
    static final String CHANGE = "change";

    /** The process ends; how often the handler was called follows. */
    static final String CALLS = "calls";

    private MeasuredWorkerMain() {}

    /** @param args a {@link WorkerSpec} */
    public static void main(String[] args) throws InterruptedException, IOException {
        WorkerSpec spec = WorkerSpec.parse(args[0]);
        PrintStream out = System.out;
        var worker = new MeasuredWorker(spec, MeasuredWorker.TENTH, (sequence, sent) -> {
            long now = MeasuredWorker.epochMicros();
            say(out, CHANGE + " " + sequence + " " + now + " " + (now - sent));
        });
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            worker.close();
            say(out, CALLS + " " + worker.calls());
        }));
        while (!worker.isReady()) {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        say(out, READY);
        while (worker.handled() < spec.keys()) {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        say(out, HANDLED + " " + Footprint.heapAfterCollection() / MEBIBYTE + " " + residentMib());
        Thread.currentThread().join(); // a signal ends it
    }

    private static void say(PrintStream out, String line) {
        synchronized (out) {
            out.println(line);
            out.flush();
        }
    }

    /** As Linux counts it; 0 elsewhere. */
    private static long residentMib() throws IOException {
        Path status = Path.of("/proc/self/status");
        if (!Files.isReadable(status)) {
            return 0;
        }
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) / KIBIBYTES_PER_MEBIBYTE)
                .findFirst()
                .orElse(0);
    }
}
