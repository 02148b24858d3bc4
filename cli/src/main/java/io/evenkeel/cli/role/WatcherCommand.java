package io.evenkeel.cli.role;

import io.evenkeel.cli.terminal.Terminal;
import io.evenkeel.runtime.cluster.ClusterChoice;
import io.evenkeel.runtime.kafka.KafkaSettings;
import io.evenkeel.runtime.kafka.TopicSettings;
import io.evenkeel.runtime.monitoring.HealthChecks;
import io.evenkeel.runtime.role.RoleProcess;
import io.evenkeel.runtime.settings.Settings;
import io.evenkeel.watcher.Watcher;
import io.evenkeel.watcher.WatcherConfig;
import java.time.Clock;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Runs a watcher. */
@Command(
        name = "watcher",
        description = {
            "Runs a watcher: it turns the objects of one cluster, or of many, into events on Kafka.",
            "",
            "Start as many as you like with the same settings; they share the work. watcher.resources says what is"
                    + " watched, cluster.* or clusters.* where."
        })
public final class WatcherCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private RoleOptions options = new RoleOptions();

    /** Made by the command line. */
    public WatcherCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        return RoleProcess.run("watcher", options.read(terminal), RoleOptions.PORT_SETTING, WatcherCommand::start)
                .number();
    }

    private static AutoCloseable start(Settings settings, RoleProcess.Host host) {
        WatcherConfig config = settings.as(WatcherConfig::from);
        ClusterChoice clusters = settings.as(ClusterChoice::from);
        Topics.require(settings);
        var watcher = new Watcher(
                config,
                clusters.open(),
                settings.as(KafkaSettings::from),
                settings.as(TopicSettings::from),
                host.metrics().registry(),
                Clock.systemUTC(),
                new SplittableRandom());
        watcher.start();
        host.checks().add(HealthChecks.Kind.READY, "watcher", watcher::notReady);
        return watcher;
    }
}
