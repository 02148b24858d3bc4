package io.evenkeel.sandbox;

import java.net.BindException;

/**
 * A fixed port that a part of the sandbox was told to use belongs to another process. Thrown before that part has
 * started anything, so the caller may choose another port and try again.
 */
public final class PortTakenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int port;

    /**
     * Says which part wanted which port.
     *
     * @param part what wanted the port, as a person would call it: "Kafka broker"
     * @param port the port on loopback that is taken
     * @param cause what the operating system said
     */
    public PortTakenException(String part, int port, BindException cause) {
        super("Port " + port + " on 127.0.0.1, wanted by the " + part + ", is taken by another process", cause);
        this.port = port;
    }

    /** The port that is taken. */
    public int port() {
        return port;
    }
}
