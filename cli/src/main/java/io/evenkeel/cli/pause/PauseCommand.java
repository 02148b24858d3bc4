package io.evenkeel.cli.pause;

import io.evenkeel.api.record.Pause;
import io.evenkeel.cli.connection.SettingsOptions;
import io.evenkeel.cli.terminal.Terminal;
import io.evenkeel.runtime.process.ExitCode;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Stops work until it is resumed. */
@Command(
        name = "pause",
        description = {
            "Stops the work of a controller, on a cluster or on one object, until it is resumed.",
            "",
            "What runs comes to its end. What happens meanwhile is kept, and handled after 'evenkeel resume'. The pause"
                    + " outlives every process."
        })
public final class PauseCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private SettingsOptions options = new SettingsOptions();

    @Mixin
    private Scope scope = new Scope();

    @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for others who wonder.")
    private String reason = "";

    /** Made by the command line. */
    public PauseCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        String user = Optional.ofNullable(System.getProperty("user.name")).orElse("unknown");
        Pause pause = scope.pause(reason, user, terminal.clock().instant());
        ControlsTopic.of(options, terminal).put(pause);
        terminal.out().println("paused: " + Scope.described(pause));
        terminal.out().flush();
        return ExitCode.OK.number();
    }
}
