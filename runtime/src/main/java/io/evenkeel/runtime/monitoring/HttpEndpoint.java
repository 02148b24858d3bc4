package io.evenkeel.runtime.monitoring;

import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.process.PortTakenException;
import io.evenkeel.runtime.process.StartupException;
import java.net.BindException;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Serves {@code /metrics} for Prometheus and {@code /livez}, {@code /readyz}, {@code /healthz} for Kubernetes. */
public final class HttpEndpoint implements AutoCloseable {
    private final Server server;
    private final ServerConnector connector;

    private HttpEndpoint(Server server, ServerConnector connector) {
        this.server = server;
        this.connector = connector;
    }

    /**
     * Starts to listen.
     *
     * @param portSetting flag or setting that a message names if the port is taken, such as {@code http.port}
     * @throws PortTakenException if the port is in use
     */
    public static HttpEndpoint start(HttpSettings settings, String portSetting, Metrics metrics, HealthChecks checks) {
        var threads = new QueuedThreadPool(8, 1);
        threads.setName("http");
        threads.setDaemon(true);
        var server = new Server(threads);
        var http = new HttpConfiguration();
        http.setSendServerVersion(false);
        var connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
        connector.setHost(settings.host());
        connector.setPort(settings.port());
        connector.setReuseAddress(true);
        server.addConnector(connector);
        server.setHandler(new EndpointHandler(metrics, checks));
        server.setStopTimeout(0);
        try {
            server.start();
        } catch (Exception e) {
            throw failed(settings, portSetting, server, e);
        }
        return new HttpEndpoint(server, connector);
    }

    /** The port that is listened on. */
    public int port() {
        return connector.getLocalPort();
    }

    /** Stops at once; requests in flight are cut. */
    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException("the HTTP endpoint did not stop", e);
        }
    }

    private static StartupException failed(HttpSettings settings, String portSetting, Server server, Exception cause) {
        try {
            server.stop();
        } catch (Exception e) {
            cause.addSuppressed(e);
        }
        for (Throwable reason = cause; reason != null; reason = reason.getCause()) {
            if (reason instanceof BindException) {
                return new PortTakenException(settings.port(), "the HTTP endpoint", portSetting, cause);
            }
        }
        return new StartupException(
                ExitCode.ERROR,
                "The HTTP endpoint can't listen on " + settings.host() + ":" + settings.port() + ": "
                        + cause.getMessage(),
                cause);
    }
}
