package io.evenkeel.sandbox.real;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Just enough of a client of etcd, by way of its JSON gateway, to let it forget its history. Stateless. */
final class EtcdClient {
    /** Nothing was written since the last compaction, so there is nothing more to forget. */
    private static final String COMPACTED = "required revision has been compacted";

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final ObjectMapper JSON = new ObjectMapper();

    private EtcdClient() {}

    /**
     * Forgets all revisions before the present one.
     *
     * @param url where clients of etcd connect to
     * @throws IllegalStateException if etcd does not answer or refuses
     */
    static void compact(String url) {
        try (HttpClient http = HttpClient.newBuilder().connectTimeout(TIMEOUT).build()) {
            JsonNode range = post(http, url + "/v3/kv/range", "{\"key\":\"AA==\"}");
            String revision = range.path("header").path("revision").asString();
            post(http, url + "/v3/kv/compaction", "{\"revision\":\"" + revision + "\",\"physical\":true}");
        }
    }

    private static JsonNode post(HttpClient http, String url, String body) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .timeout(TIMEOUT)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        try {
            HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
            boolean forgottenAlready = answer.body().contains(COMPACTED);
            if (answer.statusCode() != 200 && !forgottenAlready) {
                throw new IllegalStateException("etcd answers " + url + " by " + answer.body());
            }
            return JSON.readTree(answer.body());
        } catch (IOException e) {
            throw new IllegalStateException("etcd does not answer " + url, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while talking to etcd", e);
        }
    }
}
