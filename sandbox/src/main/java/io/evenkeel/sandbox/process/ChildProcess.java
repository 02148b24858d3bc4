package io.evenkeel.sandbox.process;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * A command in a process of its own, with its output in a file.
 *
 * <p>It never outlives this JVM, even when that is killed: a small shell stands in between, waits on a pipe from here,
 * and kills the command when the pipe closes. The shell leads a session of its own where the system can do that, so
 * that Ctrl-C in a terminal reaches this JVM alone, which then stops its children in order. Thread-safe. Needs a POSIX
 * system.
 */
public final class ChildProcess implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(20);

    /** Prints the pid of the command, waits for it, and meanwhile kills it when standard input ends. */
    private static final String GUARD = """
        exec 3<&0
        "$@" </dev/null 3<&- >>"$CHILD_OUTPUT" 2>&1 &
        child=$!
        echo "$child"
        exec >/dev/null 2>&1
        (read -r never <&3; kill -KILL "$child") &
        guard=$!
        wait "$child"
        status=$?
        kill -KILL "$guard"
        exit "$status"
        """;

    private final Process shell;
    private final ProcessHandle child;
    private final Path output;

    private ChildProcess(Process shell, ProcessHandle child, Path output) {
        this.shell = shell;
        this.child = child;
        this.output = output;
    }

    /**
     * Starts a command; returns as soon as it has a pid.
     *
     * @param command the program, looked up as a shell does, and its arguments
     * @param environment added to the environment of this process
     * @param output where standard output and error are appended to
     * @throws IllegalStateException if there is no shell to start it with
     */
    public static ChildProcess start(List<String> command, Map<String, String> environment, Path output) {
        List<String> guarded = new ArrayList<>();
        onPath("setsid").ifPresent(setsid -> guarded.add(setsid.toString()));
        guarded.addAll(List.of("sh", "-c", GUARD, "guard"));
        guarded.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(guarded).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().putAll(environment);
        builder.environment().put("CHILD_OUTPUT", output.toString());
        try {
            Process shell = builder.start();
            BufferedReader answer = shell.inputReader(StandardCharsets.UTF_8);
            ProcessHandle child = Optional.ofNullable(answer.readLine())
                    .flatMap(pid -> ProcessHandle.of(Long.parseLong(pid)))
                    .orElse(shell.toHandle()); // it ended at once: whoever waits for it gets its status from the shell
            return new ChildProcess(shell, child, output);
        } catch (IOException e) {
            throw new IllegalStateException("cannot start " + command.getFirst(), e);
        }
    }

    private static Optional<Path> onPath(String program) {
        return Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                .splitAsStream(Optional.ofNullable(System.getenv("PATH")).orElse(""))
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** The process id of the command itself. */
    public long pid() {
        return child.pid();
    }

    /** True until the command has ended. */
    public boolean isAlive() {
        return shell.isAlive();
    }

    /**
     * Waits for the command to end by itself.
     *
     * @return its exit status, 128 + n if signal n ended it; empty if it still runs after {@code longest}
     */
    public Optional<Integer> awaitExit(Duration longest) {
        try {
            boolean ended = shell.waitFor(longest.toMillis(), TimeUnit.MILLISECONDS);
            return ended ? Optional.of(shell.exitValue()) : Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for process " + pid(), e);
        }
    }

    /** Asks it to end (SIGTERM) and kills it if it has not after {@code grace}. Returns when it is gone. */
    public void stop(Duration grace) {
        if (isAlive()) {
            child.destroy();
        }
        if (awaitExit(grace).isEmpty()) {
            kill();
        }
    }

    /** Ends it at once, as a crash of the machine would (SIGKILL). Returns when it is gone. */
    public void kill() {
        if (isAlive()) {
            child.destroyForcibly();
        }
        awaitExit(Duration.ofSeconds(10));
    }

    /** Stops its clock: it keeps its memory and connections but does nothing (SIGSTOP). */
    public void freeze() {
        signal("STOP");
    }

    /** Lets it go on after {@link #freeze} (SIGCONT); it does not know that time has passed. */
    public void thaw() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            Process kill = new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!kill.waitFor(5, TimeUnit.SECONDS) || kill.exitValue() != 0) {
                throw new IllegalStateException("cannot send SIG" + name + " to process " + pid());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot send SIG" + name + " to process " + pid(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while sending SIG" + name, e);
        }
    }

    /** The file that the output goes to. */
    public Path output() {
        return output;
    }

    /** All that was written so far; bytes that are not UTF-8 are replaced. */
    public String outputText() {
        try {
            return Files.exists(output) ? new String(Files.readAllBytes(output), StandardCharsets.UTF_8) : "";
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + output, e);
        }
    }

    /** The last lines of the output, for an error message. */
    public String lastLines(int count) {
        List<String> lines = outputText().lines().toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - count), lines.size()));
    }

    /**
     * Waits for a line that contains a match.
     *
     * @param pattern a regular expression
     * @return the first such line
     * @throws IllegalStateException if the process ends without it or {@code longest} passes; the message ends with the
     *     last lines of its output
     */
    public String awaitLine(String pattern, Duration longest) {
        Pattern wanted = Pattern.compile(pattern);
        long deadline = System.nanoTime() + longest.toNanos();
        while (true) {
            boolean alive = isAlive(); // before reading, so that the last words of a process are not missed
            Optional<String> line = outputText()
                    .lines()
                    .filter(candidate -> wanted.matcher(candidate).find())
                    .findFirst();
            if (line.isPresent()) {
                return line.get();
            }
            if (!alive || System.nanoTime() > deadline) {
                throw new IllegalStateException((alive ? "no line within " + longest : "process ended without a line")
                        + " that matches '" + pattern + "'; last output:\n" + lastLines(20));
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(POLL);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for output", e);
        }
    }

    /** Kills it if it still runs; the output stays. */
    @Override
    public void close() {
        kill();
    }
}
