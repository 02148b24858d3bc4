package io.evenkeel.cli;

import io.evenkeel.cli.terminal.Terminal;
import io.evenkeel.runtime.logging.LogSetup;

/** The {@code evenkeel} program. */
public final class Main {
    private Main() {}

    /** Runs one command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        LogSetup.quiet();
        System.exit(Commands.on(Terminal.ofProcess()).execute(arguments));
    }
}
