package io.evenkeel.cli.connection;

import io.evenkeel.runtime.cluster.ClusterChoice;
import io.evenkeel.runtime.kafka.KafkaSettings;
import io.evenkeel.runtime.kafka.TopicSettings;
import io.evenkeel.runtime.role.RoleProcess;
import io.evenkeel.runtime.settings.Catalogue;
import io.evenkeel.watcher.WatcherConfig;
import io.evenkeel.worker.WorkerConfig;

/** Every setting of every module, so that one file may serve all roles. */
public final class AllSettings {
    /** In the order in which they are printed. */
    public static final Catalogue CATALOGUE = Catalogue.join(
            KafkaSettings.CATALOGUE,
            TopicSettings.CATALOGUE,
            ClusterChoice.CATALOGUE,
            WatcherConfig.CATALOGUE,
            WorkerConfig.CATALOGUE,
            RoleProcess.CATALOGUE);

    private AllSettings() {}
}
