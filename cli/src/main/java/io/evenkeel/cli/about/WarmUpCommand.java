package io.evenkeel.cli.about;

import io.evenkeel.cli.terminal.Terminal;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Runs what commands have in common, for the JVM to record which classes they load; the launcher calls it after a build. */
@Command(name = "warm-up", hidden = true, description = "Loads what other commands load.")
public final class WarmUpCommand implements Callable<Integer> {
    private final Terminal terminal;
    private final Function<Terminal, CommandLine> commands;

    /** @param commands makes the command line on a terminal */
    public WarmUpCommand(Terminal terminal, Function<Terminal, CommandLine> commands) {
        this.terminal = terminal;
        this.commands = commands;
    }

    @Override
    public Integer call() {
        var nowhere = new PrintWriter(Writer.nullWriter());
        var silent = new Terminal(
                nowhere, nowhere, Optional.empty(), terminal.environment(), terminal.clock(), terminal.zone());
        CommandLine line = commands.apply(silent);
        line.execute("--help");
        line.execute("config", "print");
        line.execute("completion");
        line.execute("dev", "--ephemeral", "--stop-when-ready", "--http-port=0", "--kafka-port=0", "--kube-port=0");
        return 0;
    }
}
