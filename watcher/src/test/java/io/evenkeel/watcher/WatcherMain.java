package io.evenkeel.watcher;

import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.runtime.cluster.ClusterChoice;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** A watcher in a process of its own, to be frozen and killed. Says how many shards it owns and lists it has asked for. */
final class WatcherMain {
    private static final Duration LOOK = Duration.ofMillis(50);

    private WatcherMain() {}

    /** @param arguments bootstrap servers, prefix and number of partitions of the topics, folder of kubeconfigs */
    public static void main(String[] arguments) {
        int partitions = Integer.parseInt(arguments[2]);
        var layout = new TopicLayout(arguments[1], partitions, partitions, (short) 1, (short) 1);
        Path clusters = Path.of(arguments[3]);
        LogWorld.Started started = LogWorld.start(
                LogWorld.kafka(arguments[0], Map.of()),
                layout,
                LogWorld.config(
                        clusters.resolveSibling("state-of-child"),
                        WatcherFleetIT.GROUP,
                        Duration.ofSeconds(150),
                        "configmaps"),
                new ClusterChoice.Folder(clusters, Duration.ofSeconds(5)));
        String said = "";
        while (true) {
            String now = described(started.watcher().shards().size(), (long) started.requests("list"));
            if (!now.equals(said)) {
                System.out.println(now);
                said = now;
            }
            LockSupport.parkNanos(LOOK.toNanos());
        }
    }

    /** The line that says so. */
    static String described(int shards, long lists) {
        return "shards: " + shards + ", lists: " + lists;
    }
}
