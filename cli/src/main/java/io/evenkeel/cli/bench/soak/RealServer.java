package io.evenkeel.cli.bench.soak;

import io.evenkeel.api.ObjectKey;
import io.evenkeel.api.json.Json;
import io.evenkeel.api.record.ChangeType;
import io.evenkeel.cli.bench.tls.Tls;
import io.evenkeel.sandbox.real.RealKubeApi;
import io.fabric8.kubernetes.client.Config;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/**
 * A namespace of a kube-apiserver, which tells of every change in a watch of its own, straight and undisturbed. Deletions
 * have a resourceVersion each, because such a server knows no other.
 */
final class RealServer implements SoakServer {
    private static final String JSON = "application/json";
    private static final long PATIENCE_MILLIS = 30_000;
    private static final int POLL_MILLIS = 10;

    private final RealKubeApi api;
    private final String name;
    private final HttpClient client;
    private final Map<SoakKind, Recorder> recorders = new HashMap<>(); // guarded by this
    private final Map<ObjectKey, List<ServerStep>> steps = new TreeMap<>(); // guarded by steps

    RealServer(RealKubeApi api, String name) {
        this.api = api;
        this.name = name;
        this.client = HttpClient.newBuilder()
                .sslContext(Tls.of(Config.fromKubeconfig(api.kubeconfig())))
                .build();
        try {
            int status = send("POST", "api/v1/namespaces", JSON, "{\"metadata\":{\"name\":\"" + name + "\"}}");
            if (status != 201) {
                throw new IllegalStateException("the API server answered " + status + " to a new namespace");
            }
            defined(SoakKind.CONFIG_MAP);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a namespace was made", e);
        }
    }

    @Override
    public String cluster() {
        return name;
    }

    @Override
    public String kubeconfig() {
        return api.kubeconfig();
    }

    @Override
    public String namespace() {
        return name;
    }

    @Override
    public int send(String method, String path, String contentType, String json) throws InterruptedException {
        try {
            return client.send(
                            request(path)
                                    .header("Content-Type", contentType)
                                    .method(method, HttpRequest.BodyPublishers.ofString(json))
                                    .build(),
                            HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        } catch (IOException e) {
            throw new UncheckedIOException("the API server did not answer", e);
        }
    }

    @Override
    public void deleteTogether(SoakKind kind, List<String> names) throws InterruptedException {
        for (String object : names) {
            int status = send("DELETE", kind.collection(namespace()) + "/" + object, JSON, "{}");
            if (status != 200) {
                throw new IllegalStateException("the API server answered " + status + " to a deletion of " + object);
            }
        }
    }

    @Override
    public void compact() {
        api.compact();
    }

    @Override
    public synchronized void defined(SoakKind kind) throws InterruptedException {
        Recorder former = recorders.get(kind);
        if (former != null) {
            former.end();
        }
        var recorder = new Recorder(kind, newest(kind));
        recorders.put(kind, recorder);
        recorder.begin();
    }

    @Override
    public synchronized Map<ObjectKey, List<ServerStep>> history() {
        try {
            for (Recorder recorder : recorders.values()) {
                recorder.awaitVersion(newest(recorder.kind));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the last changes were awaited", e);
        }
        synchronized (steps) {
            var copy = new TreeMap<ObjectKey, List<ServerStep>>();
            steps.forEach((key, of) -> copy.put(key, List.copyOf(of)));
            return copy;
        }
    }

    /** The version of the newest object of a kind, or of the empty list. */
    private long newest(SoakKind kind) throws InterruptedException {
        JsonNode list = list(kind);
        return list.path("items")
                .valueStream()
                .mapToLong(RealServer::version)
                .max()
                .orElseGet(() -> version(list));
    }

    private JsonNode list(SoakKind kind) throws InterruptedException {
        try {
            HttpResponse<byte[]> answer =
                    client.send(request(kind.collection(namespace())).build(), HttpResponse.BodyHandlers.ofByteArray());
            if (answer.statusCode() != 200) {
                throw new IllegalStateException("the API server answered " + answer.statusCode() + " to a list");
            }
            return Json.mapper().readTree(answer.body());
        } catch (IOException e) {
            throw new UncheckedIOException("the API server did not answer", e);
        }
    }

    private static long version(JsonNode object) {
        return Long.parseLong(object.path("metadata").path("resourceVersion").asString());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(api.url() + "/" + path))
                .header("Accept", JSON)
                .header("Authorization", "Bearer " + api.token());
    }

    @Override
    public synchronized void close() {
        recorders.values().forEach(Recorder::stop);
        client.shutdownNow();
    }

    /** Writes down what a watch of one kind shows, until its definition goes. */
    private final class Recorder {
        private final SoakKind kind;
        private volatile long seen;
        private volatile boolean stopped;
        private volatile Optional<RuntimeException> failure = Optional.empty();
        private final Thread thread = Thread.ofVirtual().unstarted(this::record);

        Recorder(SoakKind kind, long from) {
            this.kind = kind;
            this.seen = from;
        }

        void begin() {
            thread.start();
        }

        private void record() {
            while (!stopped) {
                String watch =
                        kind.collection(namespace()) + "?watch=1&allowWatchBookmarks=true&resourceVersion=" + seen;
                try {
                    HttpResponse<InputStream> answer =
                            client.send(request(watch).build(), HttpResponse.BodyHandlers.ofInputStream());
                    try (var lines = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
                        if (answer.statusCode() == 404) {
                            return; // the definition is gone, and another recorder begins when it is back
                        }
                        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                            note(Json.mapper().readTree(line));
                        }
                    }
                } catch (IOException e) {
                    // Where the watch stands is known; the server is asked again.
                } catch (InterruptedException e) {
                    return;
                } catch (RuntimeException e) {
                    failure = Optional.of(e); // whoever asks for the history gets it
                    return;
                }
            }
        }

        private void note(JsonNode frame) throws InterruptedException {
            String type = frame.path("type").asString();
            JsonNode object = frame.path("object");
            if (type.equals("ERROR")) {
                resume(object);
                return;
            }
            if (!type.equals("BOOKMARK")) {
                JsonNode metadata = object.path("metadata");
                var step = new ServerStep(
                        version(object),
                        ChangeType.valueOf(type),
                        metadata.path("uid").asString(),
                        Content.of(object));
                synchronized (steps) {
                    steps.computeIfAbsent(key(object), any -> new ArrayList<>()).add(step);
                }
            }
            seen = version(object);
        }

        /** The server began the kind anew and has no history of it. That does no harm if nothing happened meanwhile. */
        private void resume(JsonNode error) throws InterruptedException {
            JsonNode list = list(kind);
            synchronized (steps) {
                var now = new TreeMap<ObjectKey, Long>();
                list.path("items").forEach(item -> now.put(key(item), version(item)));
                var known = new TreeMap<ObjectKey, Long>();
                steps.forEach((key, of) -> {
                    ServerStep last = of.getLast();
                    if (key.kind().equals(kind.kind()) && last.type() != ChangeType.DELETED) {
                        known.put(key, last.version());
                    }
                });
                if (!now.equals(known)) {
                    throw new IllegalStateException(
                            "the history of " + name + " cannot be known: " + error + "; " + known + " became " + now);
                }
            }
            seen = version(list);
        }

        private ObjectKey key(JsonNode object) {
            return kind.key(
                    name, namespace(), object.path("metadata").path("name").asString());
        }

        void awaitVersion(long version) throws InterruptedException {
            if (failure.isPresent()) {
                throw failure.get();
            }
            for (long waited = 0; seen < version && waited < PATIENCE_MILLIS; waited += POLL_MILLIS) {
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            }
        }

        /** Its definition is gone: waits for the frames that are still on their way. */
        void end() throws InterruptedException {
            thread.join(PATIENCE_MILLIS);
            stop();
        }

        void stop() {
            stopped = true;
            thread.interrupt();
        }
    }
}
