package io.evenkeel.cli.role;

import io.evenkeel.cli.terminal.Terminal;
import io.evenkeel.examples.memcached.MemcachedReconciler;
import io.evenkeel.runtime.role.RoleProcess;
import io.evenkeel.runtime.settings.Settings;
import io.evenkeel.worker.WorkerConfig;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Runs a worker with the example operator. */
@Command(
        name = "worker",
        description = {
            "Runs a worker with the example operator (Memcached).",
            "",
            "An operator of your own is a Java program that calls Worker.run(args) and takes the same settings. Start"
                    + " as many as you like; they share the work."
        })
public final class WorkerCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private RoleOptions options = new RoleOptions();

    /** Made by the command line. */
    public WorkerCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        return RoleProcess.run("worker", options.read(terminal), RoleOptions.PORT_SETTING, WorkerCommand::start)
                .number();
    }

    private static AutoCloseable start(Settings settings, RoleProcess.Host host) {
        settings.as(WorkerConfig::from); // what is wrong with the settings is said before Kafka is asked
        Topics.require(settings);
        return MemcachedReconciler.worker().host(settings, host);
    }
}
