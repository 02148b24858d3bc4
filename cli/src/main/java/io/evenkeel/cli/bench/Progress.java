package io.evenkeel.cli.bench;

import io.evenkeel.cli.terminal.Terminal;

/** Says on standard error how far a measurement has come; standard output is for its result. */
record Progress(Terminal terminal) {
    void say(String text) {
        terminal.err().println("bench: " + text);
        terminal.err().flush();
    }
}
