package io.evenkeel.worker;

import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.runtime.cluster.ClusterChoice;
import io.evenkeel.runtime.kafka.KafkaSettings;
import io.evenkeel.runtime.kafka.TopicSettings;
import io.evenkeel.runtime.settings.Catalogue;
import io.evenkeel.runtime.settings.Setting;
import io.evenkeel.runtime.settings.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Settings of one worker process.
 *
 * @param kafka how to reach Kafka
 * @param topics names and sizes of the topics
 * @param clusters where the objects are that it reconciles
 * @param stateDir folder of the local stores, a cache of what is on Kafka; absent means a temporary one
 * @param limits how much it does at one time
 * @param streamThreads threads that fold, 1 to 64
 * @param drainTimeout how long running attempts may go on after their partition was asked back, up to three fifths of the
 *     session timeout
 * @param storeMemoryMebibytes memory of all local stores together, 16 to 65,536
 * @param group how it belongs to the group of those that share its name
 */
public record WorkerConfig(
        KafkaSettings kafka,
        TopicLayout topics,
        ClusterChoice clusters,
        Optional<Path> stateDir,
        Limits limits,
        int streamThreads,
        Duration drainTimeout,
        int storeMemoryMebibytes,
        GroupSettings group) {
    /** Folder of the local stores. */
    public static final Setting<Optional<Path>> STATE_DIR = Setting.optionalPath(
            "worker.state-dir", "folder of the local stores; if left out, a temporary one, restored at each start");

    /** Threads that fold. */
    public static final Setting<Integer> STREAM_THREADS =
            Setting.integer("worker.stream-threads", 1, 1, 64, "threads that fold the topics");

    /** How long running attempts may go on after their partition was asked back. */
    public static final Setting<Duration> DRAIN_TIMEOUT = Setting.millis(
            "worker.drain-timeout-millis",
            Duration.ofSeconds(6),
            Duration.ZERO,
            Duration.ofSeconds(180),
            "how long running attempts may go on after their partition was asked back");

    /** Memory of all local stores together. */
    public static final Setting<Integer> STORE_MEMORY = Setting.integer(
            "worker.store-memory-mebibytes", 128, 16, 65_536, "memory of all local stores together, outside the heap");

    /** All settings that a worker knows. */
    public static final Catalogue CATALOGUE = Catalogue.join(
            KafkaSettings.CATALOGUE,
            TopicSettings.CATALOGUE,
            ClusterChoice.CATALOGUE,
            Limits.CATALOGUE,
            GroupSettings.CATALOGUE,
            Catalogue.of(STATE_DIR, STREAM_THREADS, DRAIN_TIMEOUT, STORE_MEMORY));

    /** Two of them may be under way or unanswered; what is left of the session is what a drain may take. */
    private static final int HEARTBEATS_PER_SESSION = 5;

    /** @throws IllegalArgumentException if the drain would outlast the membership of the group that writes need */
    public WorkerConfig {
        Duration session = group.sessionTimeout();
        Duration longest = session.minus(heartbeatInterval(session).multipliedBy(2));
        if (drainTimeout.compareTo(longest) > 0) {
            throw new IllegalArgumentException("worker.drain-timeout-millis must be at most "
                    + longest.toMillis() + ", three fifths of worker.session-timeout-millis, but is "
                    + drainTimeout.toMillis()
                    + ": while it drains, a worker cannot prove that it is still in the group,"
                    + " and its writes are refused");
        }
    }

    /** Time between two signs of life to the group. */
    Duration heartbeatInterval() {
        return heartbeatInterval(group.sessionTimeout());
    }

    private static Duration heartbeatInterval(Duration session) {
        return session.dividedBy(HEARTBEATS_PER_SESSION);
    }

    /** What the settings say. */
    public static WorkerConfig from(Settings settings) {
        return new WorkerConfig(
                KafkaSettings.from(settings),
                TopicSettings.from(settings),
                ClusterChoice.from(settings),
                settings.value(STATE_DIR),
                Limits.from(settings),
                settings.value(STREAM_THREADS),
                settings.value(DRAIN_TIMEOUT),
                settings.value(STORE_MEMORY),
                GroupSettings.from(settings));
    }

    /** All defaults, for one Kafka and one layout. */
    public static WorkerConfig of(KafkaSettings kafka, TopicLayout topics, ClusterChoice clusters) {
        return new WorkerConfig(
                kafka,
                topics,
                clusters,
                STATE_DIR.fallback(),
                Limits.DEFAULT,
                STREAM_THREADS.fallback(),
                DRAIN_TIMEOUT.fallback(),
                STORE_MEMORY.fallback(),
                GroupSettings.DEFAULT);
    }

    /** This, with the stores in that folder. */
    public WorkerConfig withStateDir(Path folder) {
        return new WorkerConfig(
                kafka,
                topics,
                clusters,
                Optional.of(folder),
                limits,
                streamThreads,
                drainTimeout,
                storeMemoryMebibytes,
                group);
    }

    /** This, with other limits. */
    public WorkerConfig withLimits(Limits other) {
        return new WorkerConfig(
                kafka, topics, clusters, stateDir, other, streamThreads, drainTimeout, storeMemoryMebibytes, group);
    }

    /** This, as another member of the group. */
    public WorkerConfig withGroup(GroupSettings other) {
        return new WorkerConfig(
                kafka, topics, clusters, stateDir, limits, streamThreads, drainTimeout, storeMemoryMebibytes, other);
    }
}
