package io.evenkeel.cli;

import io.evenkeel.cli.terminal.Terminal;
import java.io.BufferedReader;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;

/**
 * One run of a command inside the test.
 *
 * @param exitCode what the process would end with
 * @param out what it printed
 * @param err what it said besides
 */
record CommandRun(int exitCode, String out, String err) {
    static final Instant NOW = Instant.parse("2026-11-30T09:20:00Z");

    /** A script that runs it: nobody answers questions. */
    static CommandRun of(Map<String, String> environment, String... arguments) {
        return run(environment, Optional.empty(), arguments);
    }

    /** A person runs it and answers the first question. */
    static CommandRun answering(String answer, Map<String, String> environment, String... arguments) {
        return run(environment, Optional.of(new BufferedReader(new StringReader(answer))), arguments);
    }

    private static CommandRun run(
            Map<String, String> environment, Optional<BufferedReader> person, String... arguments) {
        var out = new StringWriter();
        var err = new StringWriter();
        var terminal = new Terminal(
                new PrintWriter(out),
                new PrintWriter(err),
                person,
                environment,
                Clock.fixed(NOW, ZoneOffset.UTC),
                ZoneOffset.UTC);
        int exitCode = Commands.on(terminal).execute(arguments);
        return new CommandRun(exitCode, out.toString(), err.toString());
    }
}
