package io.evenkeel.runtime.process;

import java.util.Objects;

/**
 * A process, or a command, can't do what it was started for. The message is for the person who started it: what failed,
 * on what, and what to do, in one or two sentences; it is shown without a stack trace.
 */
public class StartupException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ExitCode exitCode;

    /** @param message what failed, on what, and what to do */
    public StartupException(ExitCode exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    /** @param message what failed, on what, and what to do; must stand without the cause */
    public StartupException(ExitCode exitCode, String message, Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /** The message for the person who started it. */
    @Override
    public String getMessage() {
        return Objects.requireNonNullElse(super.getMessage(), "");
    }

    /** How the process should end. */
    public ExitCode exitCode() {
        return exitCode;
    }
}
