package io.evenkeel.sandbox.fault.stale;

import io.evenkeel.api.json.Json;
import io.evenkeel.sandbox.fault.upstream.Header;
import io.evenkeel.sandbox.fault.upstream.UpstreamClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Lists one collection and then watches it, with the credentials of the client that first asked for it. */
final class Recording implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Recording.class);
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final UpstreamClient client;
    private final String collection;
    private final List<Header> headers;
    private final History history = new History();
    private final Thread thread;
    private volatile ListKind kind = new ListKind("v1", "List");
    private long position;

    /**
     * What a list calls itself.
     *
     * @param apiVersion of the list and of its items
     * @param kind of the list
     */
    record ListKind(String apiVersion, String kind) {
        /** Of the items, which do not say it themselves for kinds that Kubernetes has built in. */
        String itemKind() {
            return kind.endsWith("List") ? kind.substring(0, kind.length() - "List".length()) : kind;
        }
    }

    private Recording(UpstreamClient client, String collection, List<Header> headers) {
        this.client = client;
        this.collection = collection;
        this.headers = headers;
        this.thread = Thread.ofVirtual().name("recording " + collection).unstarted(this::follow);
    }

    /**
     * Returns when the list is recorded; the watch goes on until {@link #close}.
     *
     * @param collection path and selectors, with a {@code ?} in any case
     * @throws IOException if there is no list
     */
    static Recording start(UpstreamClient client, String collection, List<Header> headers)
            throws IOException, InterruptedException {
        Recording recording = new Recording(client, collection, headers);
        recording.list();
        recording.thread.start();
        return recording;
    }

    History history() {
        return history;
    }

    ListKind kind() {
        return kind;
    }

    private void list() throws IOException, InterruptedException {
        HttpResponse<InputStream> answer = client.send("GET", collection, headers, new byte[0]);
        try (InputStream body = answer.body()) {
            if (answer.statusCode() != 200) {
                throw new IOException("list of " + collection + " was answered " + answer.statusCode());
            }
            JsonNode list = Json.mapper().readTree(body);
            kind = new ListKind(
                    list.path("apiVersion").asString("v1"), list.path("kind").asString("List"));
            position = Change.revision(list);
            List<JsonNode> items = new ArrayList<>(list.path("items").values());
            history.reset(position, items);
        } catch (JacksonException e) {
            throw new IOException("list of " + collection + " is not JSON", e);
        }
    }

    private void follow() {
        boolean lost = false;
        while (!Thread.currentThread().isInterrupted()) {
            try {
                if (lost) {
                    list();
                }
                lost = watch();
            } catch (IOException | JacksonException e) {
                log.atDebug().addKeyValue("collection", collection).log("recording is interrupted");
                lost = false;
                if (!pause()) {
                    return;
                }
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** @return true if the server no longer knows the position */
    private boolean watch() throws IOException, InterruptedException {
        String path = collection + "&watch=true&allowWatchBookmarks=true&resourceVersion=" + position;
        HttpResponse<InputStream> answer = client.send("GET", path, headers, new byte[0]);
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
            if (answer.statusCode() != 200) {
                throw new IOException("watch of " + collection + " was answered " + answer.statusCode());
            }
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                JsonNode frame = Json.mapper().readTree(line);
                String type = frame.path("type").asString("");
                if (type.equals("ERROR")) {
                    return true;
                }
                Change change = Change.of(type, frame.path("object"));
                position = change.revision();
                if (!type.equals("BOOKMARK")) {
                    history.append(change);
                }
            }
            return false;
        }
    }

    private static boolean pause() {
        try {
            Thread.sleep(PAUSE);
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
