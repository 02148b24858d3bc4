package io.evenkeel.examples.harness;

import io.evenkeel.examples.memcached.Memcached;
import io.evenkeel.examples.memcached.MemcachedReconciler;
import io.evenkeel.testkit.ReconcilerTest;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Service;
import java.time.Duration;
import java.util.Arrays;

/** Measures, by hand: what one case of a user's test costs, the test's world included. */
public final class CaseCost {
    private static final int WARM_UP = 30;

    private CaseCost() {}

    /** @param args number of cases */
    public static void main(String[] args) {
        int cases = args.length == 0 ? 200 : Integer.parseInt(args[0]);
        double[] millis = new double[cases];
        for (int i = 0; i < WARM_UP; i++) {
            runCase();
        }
        for (int i = 0; i < cases; i++) {
            long begin = System.nanoTime();
            runCase();
            millis[i] = (System.nanoTime() - begin) / 1e6;
        }
        Arrays.sort(millis);
        System.out.printf(
                "%d cases: p50 %.1f ms, p90 %.1f ms, max %.1f ms%n",
                cases, millis[cases / 2], millis[cases * 9 / 10], millis[cases - 1]);
    }

    private static void runCase() {
        try (var test = ReconcilerTest.of(MemcachedReconciler.worker())) {
            test.apply(memcached(2));
            if (test.get(Service.class, "default", "sessions").isEmpty()) {
                throw new IllegalStateException("the operator made no Service");
            }
            test.pass(Duration.ofDays(1));
            test.apply(memcached(3));
        }
    }

    private static Memcached memcached(int replicas) {
        var memcached = new Memcached();
        memcached.setMetadata(new ObjectMetaBuilder()
                .withName("sessions")
                .withNamespace("default")
                .build());
        memcached.setSpec(new Memcached.Spec(replicas, null));
        return memcached;
    }
}
