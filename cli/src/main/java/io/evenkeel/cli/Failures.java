package io.evenkeel.cli;

import io.evenkeel.cli.terminal.Terminal;
import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.process.StartupException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says in plain sentences why a command failed, and ends it with the right code. */
final class Failures implements IParameterExceptionHandler, IExecutionExceptionHandler {
    private final Terminal terminal;
    private final EvenkeelCommand root;

    Failures(Terminal terminal, EvenkeelCommand root) {
        this.terminal = terminal;
        this.root = root;
    }

    @Override
    public int handleParseException(ParameterException e, String[] arguments) {
        CommandLine command = e.getCommandLine();
        terminal.err().println("evenkeel: " + e.getMessage());
        boolean guessed = UnmatchedArgumentException.printSuggestions(e, terminal.err());
        if (command.getSubcommands().isEmpty() || guessed) {
            terminal.err().println("Try: " + command.getCommandSpec().qualifiedName() + " --help");
        } else {
            command.usage(terminal.err());
        }
        terminal.err().flush();
        return ExitCode.USAGE.number();
    }

    @Override
    public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
        terminal.out().flush();
        ExitCode code;
        if (e instanceof StartupException known && known.exitCode() == ExitCode.OK) {
            code = ExitCode.OK; // told to stop while it was starting
        } else if (e instanceof StartupException known) {
            known.getMessage().lines().forEach(line -> terminal.err().println("evenkeel: " + line));
            code = known.exitCode();
        } else {
            terminal.err().println("evenkeel: unexpected " + e + (root.isVerbose() ? "" : " (--verbose tells more)"));
            code = ExitCode.ERROR;
        }
        if (root.isVerbose()) {
            e.printStackTrace(terminal.err());
        }
        terminal.err().flush();
        return code.number();
    }
}
