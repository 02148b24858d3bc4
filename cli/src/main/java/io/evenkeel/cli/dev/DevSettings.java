package io.evenkeel.cli.dev;

import io.evenkeel.runtime.kafka.TopicSettings;
import io.evenkeel.watcher.WatcherConfig;
import io.evenkeel.worker.WorkerConfig;
import java.util.HashMap;
import java.util.Map;

/** What {@code dev} sets differently from the defaults, which are made for clusters. */
final class DevSettings {
    /** Topics for one broker; other commands need to know them. */
    static final Map<String, String> TOPICS = Map.of(
            TopicSettings.PARTITIONS.key(), "4",
            TopicSettings.WATCH_STATE_PARTITIONS.key(), "4",
            TopicSettings.REPLICATION_FACTOR.key(), "1",
            TopicSettings.MIN_INSYNC_REPLICAS.key(), "1");

    private DevSettings() {}

    static Map<String, String> of(DataFolder folder) {
        var values = new HashMap<>(TOPICS);
        values.put(WatcherConfig.RESOURCES.key(), "memcacheds.cache.example.com,deployments.apps,services");
        values.put(WatcherConfig.STATE_DIR.key(), folder.watcher().toString());
        values.put(WorkerConfig.STATE_DIR.key(), folder.worker().toString());
        values.put(WorkerConfig.DRAIN_TIMEOUT.key(), "1000"); // Ctrl-C shall not take long
        return values;
    }
}
