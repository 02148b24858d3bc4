package io.evenkeel.cli.bench.soak;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A process that is one watcher until it is killed. */
public final class WatcherMain {
    private WatcherMain() {}

    /** @param args Kafka's address, topic prefix, folder of kubeconfigs, resources with commas between */
    public static void main(String[] args) throws InterruptedException {
        var spec = new WatcherSpec(args[0], args[1], Path.of(args[2]), List.of(args[3].split(",", -1)));
        spec.start();
        new CountDownLatch(1).await(); // for ever: nobody counts it down
    }
}
