package io.evenkeel.sandbox.kube.server;

import io.evenkeel.sandbox.LoopbackPorts;
import io.evenkeel.sandbox.PortTakenException;
import java.io.IOException;
import java.net.BindException;
import java.util.Optional;
import java.util.concurrent.Executors;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;

/** The HTTPS listener: HTTP/1.1 and HTTP/2 by ALPN, on loopback. */
public final class SimServer implements AutoCloseable {
    /** As a real server allows them, so that clients meet the same limit. */
    private static final int STREAMS_PER_CONNECTION = 250;

    private static final int MOST_ATTEMPTS = 5;
    private static final int LARGEST_BODY_WINDOW = 1 << 20;

    private final Server server;
    private final ServerConnector connector;

    private SimServer(Server server, ServerConnector connector) {
        this.server = server;
        this.connector = connector;
    }

    /**
     * Starts listening.
     *
     * @param port 0 for a free one
     * @throws PortTakenException if the port is taken
     * @throws IOException if listening fails otherwise
     */
    public static SimServer start(int port, Certificates certificates, Handler handler) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                return listen(port == 0 ? LoopbackPorts.free() : port, certificates, handler);
            } catch (PortTakenException e) {
                if (port != 0 || attempt == MOST_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private static SimServer listen(int port, Certificates certificates, Handler handler) throws IOException {
        QueuedThreadPool pool = new QueuedThreadPool(32, 6);
        pool.setName("kubesim");
        pool.setDaemon(true);
        pool.setVirtualThreadsExecutor(Executors.newVirtualThreadPerTaskExecutor());
        Server server = new Server(pool, new ScheduledExecutorScheduler("kubesim-timer", true), (ByteBufferPool) null);
        HttpConfiguration http = new HttpConfiguration();
        http.addCustomizer(new SecureRequestCustomizer(false));
        http.setSendServerVersion(false);
        http.setIdleTimeout(0);
        HttpConnectionFactory http1 = new HttpConnectionFactory(http);
        HTTP2ServerConnectionFactory http2 = new HTTP2ServerConnectionFactory(http);
        http2.setMaxConcurrentStreams(STREAMS_PER_CONNECTION);
        http2.setInitialSessionRecvWindow(LARGEST_BODY_WINDOW);
        http2.setStreamIdleTimeout(0);
        http2.setRateControlFactory(new org.eclipse.jetty.io.RateControl.Factory() {});
        ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory();
        alpn.setDefaultProtocol(http1.getProtocol());
        SslContextFactory.Server tls = new SslContextFactory.Server();
        tls.setKeyStore(certificates.keyStore());
        tls.setKeyStorePassword(Certificates.PASSWORD);
        tls.setSniRequired(false);
        SslConnectionFactory secured = new SslConnectionFactory(tls, alpn.getProtocol());
        ServerConnector connector = new ServerConnector(server, 1, 2, secured, alpn, http2, http1);
        connector.setHost("127.0.0.1");
        connector.setPort(port);
        connector.setIdleTimeout(0);
        connector.setAcceptQueueSize(1024);
        server.addConnector(connector);
        server.setHandler(handler);
        server.setStopTimeout(0);
        try {
            server.start();
        } catch (Exception e) {
            stop(server);
            Optional<BindException> taken = bindFailure(e);
            if (taken.isPresent()) {
                throw new PortTakenException("simulated Kubernetes API", port, taken.get());
            }
            throw new IOException("cannot listen on 127.0.0.1:" + port, e);
        }
        return new SimServer(server, connector);
    }

    private static Optional<BindException> bindFailure(Exception failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof BindException taken) {
                return Optional.of(taken);
            }
        }
        return Optional.empty();
    }

    public int port() {
        return connector.getLocalPort();
    }

    @Override
    public void close() {
        stop(server);
    }

    private static void stop(Server server) {
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException("the server does not stop", e);
        }
    }
}
