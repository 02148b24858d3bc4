package io.evenkeel.cli.configuration;

import io.evenkeel.cli.connection.SettingsOptions;
import io.evenkeel.cli.terminal.Terminal;
import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.settings.Settings;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints all settings as a settings file. */
@Command(
        name = "print",
        description = {
            "Prints all settings with their values, as a YAML file that --config reads.",
            "",
            "Later sources win: defaults, the file of --config, EVENKEEL_... variables, flags."
                    + " A setting without a value is printed as a comment; secrets are hidden."
        })
public final class PrintCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private SettingsOptions options = new SettingsOptions();

    @Option(names = "--show-origin", description = "Say where each value came from.")
    private boolean showOrigin;

    /** Made by the command line. */
    public PrintCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        var rows = options.read(terminal).shown();
        int width =
                rows.stream().mapToInt(row -> assignment(row).length()).max().orElse(0);
        for (Settings.Shown row : rows) {
            String remark = showOrigin ? row.origin().describe() : row.description();
            String assignment = assignment(row);
            terminal.out().println(assignment + " ".repeat(width - assignment.length()) + "  # " + remark);
        }
        terminal.out().flush();
        return ExitCode.OK.number();
    }

    private static String assignment(Settings.Shown row) {
        return row.value().isEmpty() ? "# " + row.key() + ":" : row.key() + ": " + Yaml.scalar(row.value());
    }
}
