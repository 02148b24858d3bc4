package io.evenkeel.runtime.process;

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

    /** How the process should end. */
    public ExitCode exitCode() {
        return exitCode;
    }
}
