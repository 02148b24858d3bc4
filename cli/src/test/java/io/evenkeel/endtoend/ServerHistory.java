package io.evenkeel.endtoend;

import io.evenkeel.api.ObjectKey;
import io.evenkeel.api.json.Json;
import io.evenkeel.api.record.ChangeType;
import io.fabric8.kubernetes.client.Config;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import tools.jackson.databind.JsonNode;

/**
 * The oracle: what the API server's own watch shows, read by code that shares nothing with the watcher. A watch that ends is
 * resumed; one that can't be (410) fails the test, since then the oracle itself has a gap.
 */
final class ServerHistory implements AutoCloseable {
    private final String cluster;
    private final String server;
    private final String token;
    private final HttpClient client = insecureClient();
    private final Map<ObjectKey, List<Step>> steps = new ConcurrentHashMap<>();
    private final List<String> errors = new CopyOnWriteArrayList<>();
    private final List<Thread> readers = new ArrayList<>();
    private volatile boolean closed;

    private ServerHistory(String cluster, String kubeconfig) {
        Config config = Config.fromKubeconfig(kubeconfig);
        this.cluster = cluster;
        this.server = config.getMasterUrl().replaceAll("/$", "");
        this.token = Objects.requireNonNullElse(config.getAutoOAuthToken(), "");
    }

    /** Lists each resource and watches it from there on. */
    static ServerHistory of(String cluster, String kubeconfig, List<WatchedResource> resources) throws Exception {
        var history = new ServerHistory(cluster, kubeconfig);
        for (WatchedResource resource : resources) {
            String from = history.list(resource);
            history.readers.add(Thread.ofVirtual().start(() -> history.watch(resource, from)));
        }
        return history;
    }

    /** Each object's steps so far, oldest first. */
    Map<ObjectKey, List<Step>> steps() {
        if (!errors.isEmpty()) {
            throw new AssertionError("the oracle's own watch failed: " + errors);
        }
        var copy = new TreeMap<ObjectKey, List<Step>>();
        steps.forEach((key, list) -> copy.put(key, List.copyOf(list)));
        return copy;
    }

    private String list(WatchedResource resource) throws IOException, InterruptedException {
        HttpResponse<String> answer =
                client.send(request(resource.path()), HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
        if (answer.statusCode() != 200) {
            throw new IOException(resource.path() + " answered " + answer.statusCode() + ": " + answer.body());
        }
        JsonNode list = Json.mapper().readTree(answer.body());
        for (JsonNode item : list.get("items")) {
            add(ChangeType.ADDED, resource, item);
        }
        return list.get("metadata").get("resourceVersion").stringValue();
    }

    private void watch(WatchedResource resource, String from) {
        String position = from;
        while (!closed) {
            try {
                var answer = client.send(
                        request(resource.path() + "?watch=true&allowWatchBookmarks=true&resourceVersion=" + position),
                        HttpResponse.BodyHandlers.ofInputStream());
                try (var lines = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
                    for (String line = lines.readLine(); line != null && !closed; line = lines.readLine()) {
                        JsonNode frame = Json.mapper().readTree(line);
                        String type = frame.get("type").stringValue();
                        if (type.equals("ERROR")) {
                            errors.add(line);
                            return;
                        }
                        JsonNode object = frame.get("object");
                        position = object.get("metadata").get("resourceVersion").stringValue();
                        if (!type.equals("BOOKMARK")) {
                            add(ChangeType.valueOf(type), resource, object);
                        }
                    }
                }
            } catch (IOException e) {
                // The API server restarts or the test ends: resume from the position until it does.
                pause();
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** The one sleep here: the oracle polls a server that is away, and nothing signals that it is back. */
    private static void pause() {
        try {
            Thread.sleep(Duration.ofMillis(50));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void add(ChangeType type, WatchedResource resource, JsonNode object) {
        JsonNode metadata = object.get("metadata");
        String namespace = metadata.has("namespace") ? metadata.get("namespace").stringValue() : "";
        var key = new ObjectKey(
                cluster,
                resource.group(),
                resource.kind(),
                namespace,
                metadata.get("name").stringValue());
        steps.computeIfAbsent(key, any -> new CopyOnWriteArrayList<>())
                .add(new Step(
                        type,
                        metadata.get("uid").stringValue(),
                        metadata.get("resourceVersion").stringValue()));
    }

    private HttpRequest request(String path) {
        return HttpRequest.newBuilder(URI.create(server + path))
                .header("Authorization", "Bearer " + token)
                .header("Accept", "application/json")
                .build();
    }

    @Override
    public void close() {
        closed = true;
        client.shutdownNow();
        readers.forEach(Thread::interrupt);
    }

    private static HttpClient insecureClient() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new TrustAll()}, null);
            return HttpClient.newBuilder()
                    .sslContext(context)
                    .version(HttpClient.Version.HTTP_1_1)
                    .build();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("no TLS in this JVM", e);
        }
    }

    /** The servers of these tests sign their own certificates and listen on loopback only. */
    private static final class TrustAll extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
