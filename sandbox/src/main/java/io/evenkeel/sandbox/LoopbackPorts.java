package io.evenkeel.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Free ports that stay free.
 *
 * <p>The port that the system gives for 0 lies in the range of outgoing connections. A server that restarts on it may
 * find it taken by a client: on loopback even by one that, while trying to reach that very port, got connected to
 * itself. So a port is drawn from below that range.
 */
public final class LoopbackPorts {
    private static final int LOWEST = 20_000;
    private static final int HIGHEST = 32_000; // Linux hands out ports from 32768, others from 49152
    private static final int MOST_ATTEMPTS = 200;

    private LoopbackPorts() {}

    /**
     * A port that nobody listened on a moment ago. Another process may still be quicker to bind it, so the caller
     * draws another when its bind fails.
     *
     * @return a port from 20,000 to 32,000
     * @throws IllegalStateException if none was found
     */
    public static int free() {
        for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST + 1);
            if (isFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException("no free port between " + LOWEST + " and " + HIGHEST + " on 127.0.0.1");
    }

    /**
     * The port on 127.0.0.1: never another interface, and never the ::1 that a look-up of "localhost" may give.
     *
     * @throws IOException never in practice; the signature of the JDK
     */
    public static InetSocketAddress address(int port) throws IOException {
        return new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port);
    }

    /** True if a server could listen on this port of 127.0.0.1 now. */
    public static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(address(port));
            return true;
        } catch (BindException e) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot try port " + port + " of 127.0.0.1", e);
        }
    }
}
