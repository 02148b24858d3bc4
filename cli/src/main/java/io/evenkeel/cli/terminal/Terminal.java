package io.evenkeel.cli.terminal;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;

/**
 * Where a command runs: what it prints to, whom it may ask, its environment and its clock.
 *
 * @param out what was asked for
 * @param err what a person should know besides
 * @param person who answers questions; empty in a script
 * @param environment environment variables
 * @param clock tells the time
 * @param zone in which times are shown
 */
public record Terminal(
        PrintWriter out,
        PrintWriter err,
        Optional<BufferedReader> person,
        Map<String, String> environment,
        Clock clock,
        ZoneId zone) {
    /** The terminal of this process; always UTF-8, because what is printed may be piped into a file. */
    public static Terminal ofProcess() {
        return new Terminal(
                writer(FileDescriptor.out),
                writer(FileDescriptor.err),
                console(),
                System.getenv(),
                Clock.systemUTC(),
                ZoneId.systemDefault());
    }

    /** Asks a yes-or-no question; anything but yes is no, and so is the end of the input. */
    public boolean confirms(BufferedReader asked, String question) {
        err.print(question + " [y/N] ");
        err.flush();
        try {
            String answer = asked.readLine();
            return answer != null && answer.strip().matches("(?i)y|yes");
        } catch (IOException e) {
            return false;
        }
    }

    /** Since Java 22 there may be a console without a terminal; it is told by standard input, which ends at once then. */
    private static Optional<BufferedReader> console() {
        return Optional.ofNullable(System.console()).map(console -> new BufferedReader(console.reader()));
    }

    private static PrintWriter writer(FileDescriptor descriptor) {
        return new PrintWriter(new FileOutputStream(descriptor), false, StandardCharsets.UTF_8);
    }
}
