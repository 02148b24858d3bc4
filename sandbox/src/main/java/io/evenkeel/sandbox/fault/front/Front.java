package io.evenkeel.sandbox.fault.front;

import io.evenkeel.sandbox.LoopbackPorts;
import io.evenkeel.sandbox.PortTakenException;
import io.evenkeel.sandbox.fault.rule.Darkness;
import java.net.BindException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.RateControl;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** A server on loopback with HTTP/2 and HTTP/1.1 over TLS that can go dark. Thread-safe. */
public final class Front implements AutoCloseable {
    /** As many as an API server allows; clients that can't live with it shall find out. */
    private static final int MOST_STREAMS = 100;

    private static final int HEADER_BYTES = 64 * 1024;

    private static final Duration RELEASE_PATIENCE = Duration.ofSeconds(10);
    private static final Duration RELEASE_POLL = Duration.ofMillis(2);

    private final Server server;
    private final ServerConnector connector;
    private final Gate gate;
    private final ReentrantLock lock = new ReentrantLock();

    private Front(Server server, ServerConnector connector, Gate gate) {
        this.server = server;
        this.connector = connector;
        this.gate = gate;
    }

    /**
     * Starts to listen on 127.0.0.1.
     *
     * @param port 0 for a free one
     * @throws PortTakenException if the port is in use
     */
    public static Front start(int port, LoopbackCertificate certificate, Handler handler) {
        QueuedThreadPool threads = new QueuedThreadPool(16, 2);
        threads.setName("fault-proxy");
        threads.setDaemon(true);
        Server server = new Server(threads);
        Gate gate = new Gate();
        ServerConnector connector = connector(server, certificate, gate);
        connector.setHost("127.0.0.1");
        // of our own choice, so that it is still free when it comes back after it was refused
        connector.setPort(port == 0 ? LoopbackPorts.free() : port);
        server.addConnector(connector);
        server.setHandler(handler);
        server.setStopTimeout(0);
        try {
            server.start();
        } catch (Exception e) {
            throw failed(server, connector.getPort(), e);
        }
        return new Front(server, connector, gate);
    }

    private static ServerConnector connector(Server server, LoopbackCertificate certificate, Gate gate) {
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setSendDateHeader(false);
        http.setRequestHeaderSize(HEADER_BYTES);
        http.setResponseHeaderSize(HEADER_BYTES);
        http.setUriCompliance(UriCompliance.UNSAFE); // what a path may hold is for the server behind to say
        HTTP2ServerConnectionFactory http2 = new HTTP2ServerConnectionFactory(http);
        http2.setMaxConcurrentStreams(MOST_STREAMS);
        http2.setRateControlFactory(new RateControl.Factory() {}); // a client under test may be as wild as it likes
        ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory();
        alpn.setDefaultProtocol("http/1.1");
        SslContextFactory.Server tls = new SslContextFactory.Server();
        tls.setKeyStore(certificate.keyStore());
        tls.setKeyStorePassword("");
        tls.setSniRequired(false);
        ServerConnector connector =
                new ServerConnector(
                        server,
                        1,
                        1,
                        new SslConnectionFactory(tls, "alpn"),
                        alpn,
                        http2,
                        new HttpConnectionFactory(http)) {
                    @Override
                    protected SocketChannelEndPoint newEndPoint(
                            SocketChannel channel, ManagedSelector selector, SelectionKey key) {
                        SocketChannelEndPoint endPoint =
                                new GatedEndPoint(channel, selector, key, getScheduler(), gate);
                        endPoint.setIdleTimeout(0);
                        return endPoint;
                    }
                };
        connector.setIdleTimeout(0); // a silent watch is nothing to be cleaned up
        connector.setReuseAddress(true);
        connector.setAcceptQueueSize(512);
        connector.setShutdownIdleTimeout(0);
        return connector;
    }

    private static RuntimeException failed(Server server, int port, Exception cause) {
        try {
            server.stop();
        } catch (Exception e) {
            cause.addSuppressed(e);
        }
        for (Throwable reason = cause; reason != null; reason = reason.getCause()) {
            if (reason instanceof BindException taken) {
                return new PortTakenException("fault proxy", port, taken);
            }
        }
        return new IllegalStateException("the fault proxy cannot listen on port " + port, cause);
    }

    /** The port that is, or was, listened on. */
    public int port() {
        return connector.getPort();
    }

    /** How many connections clients hold. */
    public int connections() {
        return gate.connections();
    }

    /** Breaks the connection of a request, without a word of TLS or HTTP. */
    public static void cut(Request request) {
        EndPoint endPoint = request.getConnectionMetaData().getConnection().getEndPoint();
        while (endPoint instanceof EndPoint.Wrapper wrapper) {
            endPoint = wrapper.unwrap();
        }
        endPoint.close();
    }

    /** Can't be reached any more; from one darkness into the other is allowed. */
    public void darken(Darkness darkness) {
        lock.lock();
        try {
            switch (darkness) {
                case SILENT -> {
                    gate.shut();
                    listen();
                }
                case REFUSED -> {
                    gate.cutAll(); // first, or stopping would take leave politely
                    stopListening();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Can be reached again; does nothing if it can. */
    public void lighten() {
        lock.lock();
        try {
            listen();
            gate.reopen();
        } finally {
            lock.unlock();
        }
    }

    /** The system may keep the port for a moment after it was last listened on: until the selector has let go of it. */
    private void listen() {
        long deadline = System.nanoTime() + RELEASE_PATIENCE.toNanos();
        while (!connector.isRunning() && server.isRunning()) {
            try {
                connector.start();
            } catch (Exception e) {
                if (!(e.getCause() instanceof BindException) || System.nanoTime() > deadline) {
                    throw new IllegalStateException(
                            "the fault proxy cannot listen again on port " + connector.getPort(), e);
                }
                LockSupport.parkNanos(RELEASE_POLL.toNanos());
            }
        }
    }

    private void stopListening() {
        try {
            connector.stop();
        } catch (Exception e) {
            throw new IllegalStateException("the fault proxy does not stop listening", e);
        }
    }

    /** Stops at once; requests in flight are cut. */
    @Override
    public void close() {
        lock.lock();
        try {
            gate.cutAll();
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException("the fault proxy did not stop", e);
        } finally {
            lock.unlock();
        }
    }
}
