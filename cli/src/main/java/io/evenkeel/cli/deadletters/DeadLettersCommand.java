package io.evenkeel.cli.deadletters;

import picocli.CommandLine.Command;

/** Groups what can be done with dead letters. */
@Command(
        name = "dead-letters",
        description = "Shows parked work and sends it back to work.",
        synopsisSubcommandLabel = "COMMAND")
public final class DeadLettersCommand {
    /** Made by the command line. */
    public DeadLettersCommand() {}
}
