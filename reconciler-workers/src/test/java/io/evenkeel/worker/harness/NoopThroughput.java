package io.evenkeel.worker.harness;

import io.evenkeel.api.record.Origin;
import io.evenkeel.reconciler.Outcome;
import io.evenkeel.reconciler.Worker;
import io.evenkeel.sandbox.kafka.EmbeddedKafka;
import io.evenkeel.worker.WorkerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Measures, by hand: reconciles per second of handlers that return at once, and the way of a record to its handler. */
public final class NoopThroughput {
    private static final int UPDATES = 1_000;
    private static final long BETWEEN_NANOS = TimeUnit.SECONDS.toNanos(1) / 200;

    private NoopThroughput() {}

    /** @param args number of objects */
    public static void main(String[] args) throws Exception {
        int objects = args.length == 0 ? 20_000 : Integer.parseInt(args[0]);
        Path folder = Files.createTempDirectory("noop");
        var handled = new CountDownLatch(objects);
        var sentAt = new ConcurrentHashMap<String, Long>();
        var latencies = new ConcurrentLinkedQueue<Long>();
        long[] first = new long[1];
        Worker worker = Worker.named("noop").reconcile(Widget.class).with((widget, context) -> {
            long now = System.nanoTime();
            if (widget.getMetadata().getGeneration() == 1) {
                if (handled.getCount() == objects) {
                    first[0] = now;
                }
                handled.countDown();
            } else {
                Long sent = sentAt.get(widget.getMetadata().getName());
                latencies.add(now - (sent == null ? now : sent));
            }
            return Outcome.done();
        });
        try (EmbeddedKafka broker = EmbeddedKafka.builder().build().start()) {
            WorkerSetting setting = WorkerSetting.on(broker.bootstrapServers(), "noop.", 4, folder);
            try (var log = new ObjectLog(setting.kafka(), setting.layout())) {
                for (int i = 0; i < objects; i++) {
                    var unused = log.put("w" + i, 1, 1, Origin.LIST, "");
                }
                log.flush();
                try (WorkerProcess process = worker.start(setting.config())) {
                    boolean all = handled.await(200, TimeUnit.SECONDS);
                    double seconds = (System.nanoTime() - first[0]) / 1e9;
                    System.out.printf(
                            "%s: %d reconciles in %.1f s, %.0f/s%n",
                            all, objects - handled.getCount(), seconds, (objects - handled.getCount()) / seconds);
                    for (int i = 0; i < UPDATES; i++) {
                        sentAt.put("w" + i, System.nanoTime());
                        log.put("w" + i, 2, 2).get();
                        LockSupport.parkNanos(BETWEEN_NANOS);
                    }
                    LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(2));
                    long[] sorted = latencies.stream()
                            .mapToLong(Long::longValue)
                            .sorted()
                            .toArray();
                    System.out.printf(
                            "%d updates handled, p50 %.1f ms, p99 %.1f ms, ready %s%n",
                            sorted.length,
                            sorted[sorted.length / 2] / 1e6,
                            sorted[sorted.length * 99 / 100] / 1e6,
                            process.isReady());
                }
            }
        }
    }
}
