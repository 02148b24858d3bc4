package io.evenkeel.sandbox.fault;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** The JDK's HTTP client, bare: what it sees is what the proxy did. */
final class PlainClient implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final URI server;
    private final HttpClient http;
    private final Optional<String> token;

    private PlainClient(URI server, String certificatePem, HttpClient.Version version, Optional<String> token) {
        this.server = server;
        this.token = token;
        this.http = HttpClient.newBuilder()
                .version(version)
                .sslContext(RawHttp.trusting(certificatePem))
                .connectTimeout(TIMEOUT)
                .build();
    }

    static PlainClient of(FaultProxy proxy, HttpClient.Version version) {
        return new PlainClient(proxy.url(), proxy.certificatePem(), version, Optional.empty());
    }

    static PlainClient of(FaultProxy proxy) {
        return of(proxy, HttpClient.Version.HTTP_2);
    }

    static PlainClient of(FaultProxy proxy, String token) {
        return new PlainClient(proxy.url(), proxy.certificatePem(), HttpClient.Version.HTTP_2, Optional.of(token));
    }

    HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server + path));
        token.ifPresent(text -> request.header("Authorization", "Bearer " + text));
        return request;
    }

    HttpResponse<byte[]> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return http.send(request.timeout(TIMEOUT).build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    /** Without a time limit on the body. */
    HttpResponse<InputStream> open(String path) throws IOException, InterruptedException {
        return http.send(request(path).build(), HttpResponse.BodyHandlers.ofInputStream());
    }

    HttpResponse<byte[]> get(String path) throws IOException, InterruptedException {
        return send(request(path));
    }

    HttpResponse<byte[]> get(String path, Duration patience) throws IOException, InterruptedException {
        return http.send(request(path).timeout(patience).build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    String text(String path) throws IOException, InterruptedException {
        return new String(get(path).body(), StandardCharsets.UTF_8);
    }

    /** A watch that is read by a thread of its own. */
    Watch watch(String path) throws IOException, InterruptedException {
        return new Watch(open(path));
    }

    @Override
    public void close() {
        http.shutdownNow();
    }

    static final class Watch implements AutoCloseable {
        final int status;
        private final InputStream body;
        private final List<String> lines = new CopyOnWriteArrayList<>();
        private volatile String end = "open";

        private Watch(HttpResponse<InputStream> answer) {
            this.status = answer.statusCode();
            this.body = answer.body();
            Thread.ofVirtual().start(this::read);
        }

        private void read() {
            try (BufferedReader reader = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
                for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                    lines.add(line);
                }
                end = "closed";
            } catch (IOException e) {
                end = "broken";
            }
        }

        List<String> lines() {
            return lines;
        }

        /** The resourceVersions of the frames that have one. */
        List<Integer> revisions() {
            return lines.stream()
                    .filter(line -> line.endsWith("}}}") && line.contains("resourceVersion"))
                    .map(line -> Integer.valueOf(line.replaceAll(".*\"resourceVersion\":\"([0-9]+)\".*", "$1")))
                    .toList();
        }

        /** {@code open}, {@code closed} as servers close it, or {@code broken}. */
        String end() {
            return end;
        }

        @Override
        public void close() throws IOException {
            body.close();
        }
    }
}
