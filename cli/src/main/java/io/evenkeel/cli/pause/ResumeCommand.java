package io.evenkeel.cli.pause;

import io.evenkeel.api.record.Pause;
import io.evenkeel.cli.connection.SettingsOptions;
import io.evenkeel.cli.terminal.Terminal;
import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.process.StartupException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Undoes {@link PauseCommand}. */
@Command(
        name = "resume",
        description = {
            "Goes on with work that was paused.",
            "",
            "Say the same as to 'evenkeel pause': a pause of a controller is not undone for one cluster of it."
        })
public final class ResumeCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private SettingsOptions options = new SettingsOptions();

    @Mixin
    private Scope scope = new Scope();

    @Option(names = "--all", description = "Undo every pause.")
    private boolean all;

    /** Made by the command line. */
    public ResumeCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        ControlsTopic topic = ControlsTopic.of(options, terminal);
        List<Pause> paused = topic.pauses(terminal);
        List<Pause> chosen = all ? paused : matching(paused);
        for (Pause pause : chosen) {
            topic.remove(pause.key());
            terminal.out().println("resumed: " + Scope.described(pause));
        }
        if (chosen.isEmpty()) {
            terminal.out().println("Nothing is paused.");
        }
        terminal.out().flush();
        return ExitCode.OK.number();
    }

    private List<Pause> matching(List<Pause> paused) {
        Pause wanted = scope.pause("", "", terminal.clock().instant());
        List<Pause> found = paused.stream()
                .filter(pause -> pause.key().equals(wanted.key()))
                .toList();
        if (found.isEmpty()) {
            throw new StartupException(
                    ExitCode.ERROR, "There is no pause of " + Scope.described(wanted) + ". See: evenkeel pauses");
        }
        return found;
    }
}
