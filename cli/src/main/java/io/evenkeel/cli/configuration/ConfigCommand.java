package io.evenkeel.cli.configuration;

import picocli.CommandLine.Command;

/** Groups what can be asked about settings. */
@Command(name = "config", description = "Explains the settings.", synopsisSubcommandLabel = "COMMAND")
public final class ConfigCommand {
    /** Made by the command line. */
    public ConfigCommand() {}
}
