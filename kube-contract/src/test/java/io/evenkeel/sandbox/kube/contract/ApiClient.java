package io.evenkeel.sandbox.kube.contract;

import io.evenkeel.sandbox.TrustedCertificates;
import io.evenkeel.sandbox.kube.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** A plain HTTP/2 client: the cases look at what goes over the wire, so no Kubernetes client stands in between. */
final class ApiClient implements AutoCloseable {
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private final HttpClient http;
    private final String baseUrl;
    private final String token;

    ApiClient(String baseUrl, String token, String authorityPem) {
        this.baseUrl = baseUrl;
        this.token = token;
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_2)
                .sslContext(TrustedCertificates.context(authorityPem))
                .build();
    }

    private HttpRequest.Builder request(String path, String accept) {
        return HttpRequest.newBuilder(
                        URI.create(baseUrl + path.replace(" ", "%20").replace("\"", "%22")))
                .header("Authorization", "Bearer " + token)
                .header("User-Agent", "contract/1.0")
                .header("Accept", accept)
                .timeout(LONGEST);
    }

    Reply get(String path) {
        return get(path, "application/json");
    }

    Reply get(String path, String accept) {
        return send(request(path, accept).GET().build());
    }

    Reply getAs(String path, String bearer) {
        return send(request(path, "application/json")
                .setHeader("Authorization", "Bearer " + bearer)
                .GET()
                .build());
    }

    Reply head(String path) {
        return send(request(path, "application/json").HEAD().build());
    }

    /** Asks without a token. */
    Reply getAnonymously(String path) {
        return send(HttpRequest.newBuilder(URI.create(baseUrl + path))
                .timeout(LONGEST)
                .GET()
                .build());
    }

    /** Asks under another name, which has no rights. */
    Reply getImpersonating(String path, String user) {
        return send(request(path, "application/json")
                .header("Impersonate-User", user)
                .GET()
                .build());
    }

    /** Sends a body under another name, which has no rights. */
    Reply postImpersonating(String path, String user, String body) {
        return send(request(path, "application/json")
                .header("Impersonate-User", user)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body.replace('\'', '"')))
                .build());
    }

    Reply post(String path, String body) {
        return write("POST", path, "application/json", body);
    }

    Reply put(String path, String body) {
        return write("PUT", path, "application/json", body);
    }

    Reply put(String path, JsonNode body) {
        return write("PUT", path, "application/json", body.toString());
    }

    Reply merge(String path, String body) {
        return write("PATCH", path, "application/merge-patch+json", body);
    }

    Reply jsonPatch(String path, String body) {
        return write("PATCH", path, "application/json-patch+json", body);
    }

    Reply strategic(String path, String body) {
        return write("PATCH", path, "application/strategic-merge-patch+json", body);
    }

    Reply apply(String path, String body) {
        return write("PATCH", path, "application/apply-patch+yaml", body);
    }

    Reply delete(String path) {
        return send(request(path, "application/json").DELETE().build());
    }

    Reply delete(String path, String body) {
        return write("DELETE", path, "application/json", body);
    }

    /** Sends a body in which single quotes stand for double ones. */
    Reply write(String method, String path, String contentType, String body) {
        return send(request(path, "application/json")
                .header("Content-Type", contentType)
                .method(method, HttpRequest.BodyPublishers.ofString(body.replace('\'', '"')))
                .build());
    }

    private Reply send(HttpRequest request) {
        try {
            HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
            List<String> warnings = response.headers().allValues("warning");
            return new Reply(response.statusCode(), parse(response.body()), warnings);
        } catch (IOException e) {
            throw new UncheckedIOException(request.uri().toString(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static JsonNode parse(String body) {
        try {
            return body.isEmpty() ? Json.object() : Json.parse(body);
        } catch (JacksonException e) {
            return Json.string(body);
        }
    }

    /** The status of the answer to the opening handshake of a WebSocket; 101 if it was opened. */
    int webSocket(String path) {
        URI uri = URI.create(baseUrl.replaceFirst("^https", "wss") + path);
        try {
            http.newWebSocketBuilder()
                    .header("Authorization", "Bearer " + token)
                    .header("Origin", baseUrl) // without one a real server refuses
                    .buildAsync(uri, new WebSocket.Listener() {})
                    .join()
                    .abort();
            return 101;
        } catch (CompletionException e) {
            if (e.getCause() instanceof WebSocketHandshakeException refused) {
                return refused.getResponse().statusCode();
            }
            throw e;
        }
    }

    /** Opens a watch; its parameters stand in {@code path}. */
    Frames watch(String path) {
        return watch(path, "application/json");
    }

    Frames watch(String path, String accept) {
        return watch(request(path, accept).GET().build());
    }

    Frames watchAs(String path, String bearer) {
        return watch(request(path, "application/json")
                .setHeader("Authorization", "Bearer " + bearer)
                .GET()
                .build());
    }

    private Frames watch(HttpRequest request) {
        try {
            HttpResponse<InputStream> response = http.send(request, HttpResponse.BodyHandlers.ofInputStream());
            return new Frames(response.statusCode(), response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The frames of an open watch, in order. */
    static final class Frames implements AutoCloseable {
        private static final JsonNode END = Json.string("end");

        private final int code;
        private final InputStream stream;
        private final BlockingQueue<JsonNode> frames = new LinkedBlockingQueue<>();

        Frames(int code, InputStream stream) {
            this.code = code;
            this.stream = stream;
            Thread.ofVirtual().start(this::read);
        }

        private void read() {
            try (BufferedReader lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    frames.add(parse(line));
                }
            } catch (IOException e) {
                // Closed by the test, or cut by the server: both are the end of the stream.
            }
            frames.add(END);
        }

        int code() {
            return code;
        }

        JsonNode next() {
            try {
                JsonNode frame = frames.poll(LONGEST.toSeconds(), TimeUnit.SECONDS);
                if (frame == null) {
                    throw new AssertionError("no frame within " + LONGEST);
                }
                return frame;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }

        /** The next frame as {@code TYPE name}. */
        String nextLine() {
            JsonNode frame = next();
            return frame.equals(END)
                    ? "END"
                    : Json.text(frame, "type") + " " + Json.text(frame, "object", "metadata", "name");
        }

        /** All lines up to the end of the stream. */
        List<String> linesToEnd() {
            List<String> lines = new java.util.ArrayList<>();
            for (String line = nextLine(); !line.equals("END"); line = nextLine()) {
                lines.add(line);
            }
            return lines;
        }

        @Override
        public void close() {
            try {
                stream.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
