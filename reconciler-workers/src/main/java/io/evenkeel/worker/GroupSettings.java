package io.evenkeel.worker;

import io.evenkeel.runtime.settings.Catalogue;
import io.evenkeel.runtime.settings.Setting;
import io.evenkeel.runtime.settings.Settings;
import java.time.Duration;
import java.util.Optional;

/**
 * How a worker process belongs to the group of those that share its name.
 *
 * @param sessionTimeout after this without a sign of life the group gives the partitions to others, 6 to 300 s
 * @param standbyReplicas how many other processes keep a copy of each partition's state, 0 to 10
 * @param instanceId names this process for ever; absent for a new member at each start
 */
public record GroupSettings(Duration sessionTimeout, int standbyReplicas, Optional<String> instanceId) {
    /** After this without a sign of life the group gives the partitions to others. */
    public static final Setting<Duration> SESSION_TIMEOUT = Setting.millis(
            "worker.session-timeout-millis",
            Duration.ofSeconds(10),
            Duration.ofSeconds(6),
            Duration.ofSeconds(300),
            "after this without a sign of life the group gives the partitions to others");

    /** How many other processes keep a copy of each partition's state. */
    public static final Setting<Integer> STANDBY_REPLICAS = Setting.integer(
            "worker.standby-replicas",
            0,
            0,
            10,
            "how many other processes keep a copy of each partition's state, so that they take it over without reading"
                    + " it first; costs their disks and memory");

    /** Names this process for ever. */
    public static final Setting<Optional<String>> INSTANCE_ID = Setting.optionalText(
            "worker.instance-id",
            "name of this process among those of the worker, such as a StatefulSet's pod: one that restarts within the"
                    + " session timeout keeps its partitions, and nobody else takes them meanwhile");

    /** All of them. */
    public static final Catalogue CATALOGUE = Catalogue.of(SESSION_TIMEOUT, STANDBY_REPLICAS, INSTANCE_ID);

    /** What holds unless something else is said. */
    public static final GroupSettings DEFAULT =
            new GroupSettings(SESSION_TIMEOUT.fallback(), STANDBY_REPLICAS.fallback(), INSTANCE_ID.fallback());

    /** @throws IllegalArgumentException if the instance's name is none that Kafka takes */
    public GroupSettings {
        instanceId.ifPresent(id -> {
            if (!id.matches("[A-Za-z0-9._-]{1,200}")) {
                throw new IllegalArgumentException("worker.instance-id must have 1 to 200 letters, digits, '.', '_' or"
                        + " '-' but is '" + id + "'");
            }
        });
    }

    /** What the settings say. */
    public static GroupSettings from(Settings settings) {
        return new GroupSettings(
                settings.value(SESSION_TIMEOUT), settings.value(STANDBY_REPLICAS), settings.value(INSTANCE_ID));
    }

    /** This, with another session timeout. */
    public GroupSettings withSessionTimeout(Duration other) {
        return new GroupSettings(other, standbyReplicas, instanceId);
    }
}
