package io.evenkeel.cli.about;

import io.evenkeel.cli.terminal.Terminal;
import io.evenkeel.runtime.process.ExitCode;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Prints a completion script. */
@Command(
        name = "completion",
        description = {
            "Prints a script that completes commands and options in bash and zsh.",
            "",
            "Use it in this shell with: source <(evenkeel completion)"
        })
public final class CompletionCommand implements Callable<Integer> {
    private final Terminal terminal;
    private final CommandLine root;

    /** @param root the command that is completed */
    public CompletionCommand(Terminal terminal, CommandLine root) {
        this.terminal = terminal;
        this.root = root;
    }

    @Override
    public Integer call() {
        terminal.out().print(AutoComplete.bash(root.getCommandName(), root));
        terminal.out().flush();
        return ExitCode.OK.number();
    }
}
