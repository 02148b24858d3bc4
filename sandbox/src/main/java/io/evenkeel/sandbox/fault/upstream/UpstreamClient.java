package io.evenkeel.sandbox.fault.upstream;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * HTTP/1.1 to the server behind the proxy: a connection of its own for every request in flight, so that no number of
 * watches and no slow reader stands in another one's way. Thread-safe.
 */
public final class UpstreamClient implements AutoCloseable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    /** The JDK's client sets these itself and refuses them from others. */
    private static final Set<String> NOT_OURS = Set.of("host", "content-length", "expect");

    private final String base;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient http;

    /** @throws IllegalArgumentException if the certificates can't be used */
    public UpstreamClient(Upstream upstream) {
        String server = upstream.server().toString();
        this.base = server.endsWith("/") ? server.substring(0, server.length() - 1) : server;
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(CONNECT_TIMEOUT)
                .sslContext(TlsContexts.of(upstream))
                .executor(threads)
                .build();
    }

    /**
     * Sends a request and returns when the answer begins. An interrupt gives it up.
     *
     * @param pathAndQuery as the client sent it
     * @param body empty for none
     * @throws IOException if the server can't be reached or breaks off
     */
    public HttpResponse<InputStream> send(String method, String pathAndQuery, List<Header> headers, byte[] body)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + pathAndQuery))
                .method(
                        method,
                        body.length == 0
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofByteArray(body));
        Header.endToEnd(headers).stream()
                .filter(header -> !NOT_OURS.contains(header.name().toLowerCase(Locale.ROOT)))
                .forEach(header -> request.header(header.name(), header.value()));
        return http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    }

    /** Breaks off all that is in flight. */
    @Override
    public void close() {
        http.shutdownNow();
        threads.shutdownNow();
    }
}
