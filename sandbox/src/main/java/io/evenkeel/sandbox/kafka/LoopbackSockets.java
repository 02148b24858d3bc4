package io.evenkeel.sandbox.kafka;

import io.evenkeel.sandbox.LoopbackPorts;
import io.evenkeel.sandbox.PortTakenException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.server.ServerSocketFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listening sockets of one node, bound before Kafka starts: a taken port is noticed first, and a free port that
 * was chosen by the system cannot be lost to another process in between. Not thread-safe.
 */
final class LoopbackSockets implements ServerSocketFactory, AutoCloseable {
    static final String HOST = "127.0.0.1";

    private static final Logger log = LoggerFactory.getLogger(LoopbackSockets.class);

    private final Map<String, ServerSocketChannel> channelByListener = new HashMap<>();

    /**
     * Binds a listener to a port of the loopback interface.
     *
     * @param listener the name that Kafka's configuration gives this listener
     * @param port 0 for any free port, chosen so that it can be bound again after a restart
     * @return the port that was bound
     * @throws PortTakenException if another process listens there
     */
    int bind(String listener, int port) {
        if (port != 0) {
            return bindExactly(listener, port);
        }
        while (true) {
            int candidate = LoopbackPorts.free();
            try {
                return bindExactly(listener, candidate);
            } catch (PortTakenException lostTheRace) {
                log.atDebug().addKeyValue("port", candidate).log("port was taken in between");
            }
        }
    }

    private int bindExactly(String listener, int port) {
        try {
            ServerSocketChannel channel = ServerSocketChannel.open();
            try {
                channel.bind(LoopbackPorts.address(port));
                channel.configureBlocking(false);
            } catch (IOException e) {
                channel.close();
                throw e;
            }
            channelByListener.put(listener, channel);
            return port;
        } catch (BindException e) {
            throw new PortTakenException("Kafka broker", port, e);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot listen on port " + port + " of " + HOST, e);
        }
    }

    @Override
    public ServerSocketChannel openServerSocket(
            String listenerName, InetSocketAddress address, int listenBacklogSize, int receiveBufferSize)
            throws IOException {
        ServerSocketChannel channel = channelByListener.get(listenerName);
        if (channel == null) {
            throw new IOException("no socket was bound for listener " + listenerName + " at " + address);
        }
        return channel;
    }

    /** Closes what Kafka has not closed itself, as after a start that failed midway. */
    @Override
    public void close() {
        for (ServerSocketChannel channel : channelByListener.values()) {
            try {
                channel.close();
            } catch (IOException e) {
                throw new UncheckedIOException("cannot close " + channel, e);
            }
        }
        channelByListener.clear();
    }
}
