package io.evenkeel.watcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/** What the API server itself shows of one resource from a moment on: the oracle that the log is compared with. */
final class ServerHistory implements AutoCloseable {
    private final List<String> changes = new CopyOnWriteArrayList<>();
    private final InputStream body;

    ServerHistory(KubeHttp kube, String path) throws IOException, InterruptedException {
        String version = kube.get(path + "?limit=1")
                .path("metadata")
                .path("resourceVersion")
                .asString();
        this.body = kube.open(path + "?watch=1&resourceVersion=" + version).body();
        Thread.ofVirtual().start(this::read);
    }

    /** {@code <type> <name> <uid> <resourceVersion>}, in order. */
    List<String> changes() {
        return List.copyOf(changes);
    }

    /** Checks that a log holds these changes, each once, and those of one object in this order. */
    static void assertSame(List<String> changes, List<String> logged) {
        assertThat(logged).containsExactlyInAnyOrderElementsOf(changes);
        for (String name : changes.stream().map(ServerHistory::name).distinct().toList()) {
            Predicate<String> ofObject = line -> name(line).equals(name);
            assertThat(logged.stream().filter(ofObject).toList())
                    .isEqualTo(changes.stream().filter(ofObject).toList());
        }
    }

    private static String name(String described) {
        return described.split(" ", 3)[1];
    }

    private void read() {
        try (var lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                JsonNode frame = Json.mapper().readTree(line);
                JsonNode metadata = frame.path("object").path("metadata");
                changes.add(frame.path("type").asString() + " "
                        + metadata.path("name").asString() + " "
                        + metadata.path("uid").asString() + " "
                        + metadata.path("resourceVersion").asString());
            }
        } catch (IOException e) {
            changes.add("ended: " + e.getMessage()); // by close, after the comparison
        }
    }

    @Override
    public void close() throws IOException {
        body.close();
    }
}
