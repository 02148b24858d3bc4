package io.evenkeel.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The root of all commands. */
@Command(
        name = "evenkeel",
        description = "An event-sourced reconcile engine for Kubernetes on Kafka.",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        footer = {"", "Exit codes: 0 ok, 1 differences, 2 usage, 3 error, 4 unreachable."})
final class EvenkeelCommand {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this and end.")
    @SuppressWarnings("unused") // picocli reads it
    private boolean help;

    @Option(names = "--verbose", scope = ScopeType.INHERIT, description = "Show the stack trace of an error.")
    private boolean verbose;

    /** Whether errors are shown with their stack trace. */
    boolean isVerbose() {
        return verbose;
    }
}
