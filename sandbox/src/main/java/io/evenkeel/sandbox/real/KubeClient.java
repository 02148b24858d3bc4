package io.evenkeel.sandbox.real;

import io.evenkeel.sandbox.TrustedCertificates;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/** Just enough of a client to see that the API server is ready and to put the simulated nodes in place. */
final class KubeClient implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final Kubeconfig server;
    private final HttpClient http;

    KubeClient(Kubeconfig server) {
        this.server = server;
        this.http = HttpClient.newBuilder()
                .connectTimeout(TIMEOUT)
                .sslContext(trusting(server.certificate()))
                .build();
    }

    private static SSLContext trusting(Path certificates) {
        try {
            return TrustedCertificates.context(Files.readString(certificates));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the certificates in " + certificates, e);
        }
    }

    /** True if a GET is answered by 200. */
    boolean isOk(String path) {
        return status(path).filter(status -> status == 200).isPresent();
    }

    /** The status of a GET; empty if nothing answered. */
    Optional<Integer> status(String path) {
        try {
            return Optional.of(send(request(path).GET().build()).statusCode());
        } catch (IOException notThereYet) {
            return Optional.empty();
        }
    }

    /**
     * What a GET answers, whatever its status.
     *
     * @throws IllegalStateException if nothing answers
     */
    String body(String path) {
        try {
            return send(request(path).GET().build()).body();
        } catch (IOException e) {
            throw new IllegalStateException("cannot get " + path, e);
        }
    }

    /**
     * Creates an object unless it exists.
     *
     * @param collection path of its collection
     * @throws IllegalStateException if the server refuses it
     */
    void create(String collection, String json) {
        HttpRequest request = request(collection)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json))
                .build();
        try {
            HttpResponse<String> answer = send(request);
            if (answer.statusCode() != 201 && answer.statusCode() != 409) {
                throw new IllegalStateException("cannot create in " + collection + ": " + answer.body());
            }
        } catch (IOException e) {
            throw new IllegalStateException("cannot create in " + collection, e);
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(server.url() + path))
                .timeout(TIMEOUT)
                .header("User-Agent", "evenkeel-sandbox")
                .header("Authorization", "Bearer " + server.token());
    }

    private HttpResponse<String> send(HttpRequest request) throws IOException {
        try {
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while talking to " + server.url(), e);
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
