package io.evenkeel.cli.bench.work;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Time that passes. */
final class BenchPause {
    private BenchPause() {}

    static void nanos(long nanos) throws InterruptedException {
        if (new CountDownLatch(1).await(nanos, TimeUnit.NANOSECONDS)) {
            throw new IllegalStateException("nobody counts it down");
        }
    }
}
