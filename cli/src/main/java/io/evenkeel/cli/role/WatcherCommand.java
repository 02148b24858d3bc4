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
import picocli.CommandLine.Option;

/** Runs a watcher. */
@Command(
        name = "watcher",
        description = {
            "Runs a watcher: it turns the objects of one cluster, or of many, into events on Kafka.",
            "",
            "Start as many as you like with the same settings; they share the work. watcher.resources says what is"
                    + " watched, cluster.* or clusters.* where.",
            "",
            "With --check it only says whether it would find what it needs: Kafka and its topics, each cluster, each"
                    + " resource and the permission to list and watch it; for what is not allowed it prints the RBAC to"
                    + " apply. Exit code 1 if something is missing, 4 if something can't be reached."
        })
public final class WatcherCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private RoleOptions options = new RoleOptions();

    @Option(names = "--check", description = "Only check whether everything that is needed is there; change nothing.")
    private boolean check;

    /** Made by the command line. */
    public WatcherCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        Settings settings = options.read(terminal);
        if (check) {
            return new WatcherCheck(terminal).run(settings).number();
        }
        return RoleProcess.run("watcher", settings, RoleOptions.PORT_SETTING, WatcherCommand::start)
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
