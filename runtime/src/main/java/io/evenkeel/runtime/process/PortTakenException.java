package io.evenkeel.runtime.process;

/** A port that a process was told to listen on is in use, or may not be used. */
public final class PortTakenException extends StartupException {
    private static final long serialVersionUID = 1L;

    /**
     * @param port the port
     * @param purpose what was to be served there, such as {@code the HTTP endpoint}
     * @param setting flag or setting that chooses another, such as {@code --http-port}
     */
    public PortTakenException(int port, String purpose, String setting, Throwable cause) {
        super(
                ExitCode.UNREACHABLE,
                "Port " + port + ", meant for " + purpose
                        + ", is already in use. Stop what listens there, or choose another with " + setting
                        + " (0 takes any free one).",
                cause);
    }
}
