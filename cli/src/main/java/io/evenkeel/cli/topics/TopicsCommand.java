package io.evenkeel.cli.topics;

import picocli.CommandLine.Command;

/** Groups what can be done with topics. */
@Command(
        name = "topics",
        description = "Compares the topics with how they should be, and creates or mends them.",
        synopsisSubcommandLabel = "COMMAND")
public final class TopicsCommand {
    /** Made by the command line. */
    public TopicsCommand() {}
}
