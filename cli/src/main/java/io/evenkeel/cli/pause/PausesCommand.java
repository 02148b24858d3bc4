package io.evenkeel.cli.pause;

import io.evenkeel.api.record.Pause;
import io.evenkeel.cli.connection.SettingsOptions;
import io.evenkeel.cli.terminal.Table;
import io.evenkeel.cli.terminal.Terminal;
import io.evenkeel.cli.terminal.Texts;
import io.evenkeel.runtime.process.ExitCode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows what is paused. */
@Command(name = "pauses", description = "Shows what is paused, by whom and why.")
public final class PausesCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private SettingsOptions options = new SettingsOptions();

    /** Made by the command line. */
    public PausesCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        List<Pause> pauses = ControlsTopic.of(options, terminal).pauses(terminal);
        if (pauses.isEmpty()) {
            terminal.out().println("Nothing is paused.");
            terminal.out().flush();
            return ExitCode.OK.number();
        }
        var table = new Table("CONTROLLER", "WHERE", "SINCE", "BY", "REASON");
        pauses.forEach(pause -> table.row(
                pause.controller().orElse("*"),
                pause.object().or(pause::cluster).orElse("*"),
                Texts.about(Duration.between(pause.at(), terminal.clock().instant())) + " ago",
                pause.by(),
                pause.reason()));
        table.print(terminal.out());
        terminal.out().flush();
        return ExitCode.OK.number();
    }
}
