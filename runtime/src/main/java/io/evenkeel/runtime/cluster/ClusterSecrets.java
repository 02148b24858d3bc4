package io.evenkeel.runtime.cluster;

import io.evenkeel.api.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * The Secrets of a namespace of a hub cluster that have the label {@code evenkeel.io/cluster: "true"}. A watch is used as a
 * bell only: whatever comes of it, the Secrets are listed again, so that there is one way to learn what they say.
 */
final class ClusterSecrets implements DefinitionReader {
    private static final String LABEL = "evenkeel.io/cluster=true";
    private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(10);
    private static final Duration ANSWER_PATIENCE = Duration.ofSeconds(30);
    private static final Duration LONGEST_WATCH = Duration.ofSeconds(60);
    private static final int PAGE = 200;

    private final ClusterDefinition hub;
    private final String namespace;
    private final CheckedDefinitions checked = new CheckedDefinitions();
    private ApiCredentials credentials;
    private HttpClient client;
    private Optional<String> version = Optional.empty();

    /** @throws io.evenkeel.runtime.process.StartupException if the definition of the hub cannot be used */
    ClusterSecrets(ClusterDefinition hub, String namespace) {
        this.hub = hub;
        this.namespace = namespace;
        this.credentials = ApiCredentials.of(hub);
        this.client = client(credentials);
    }

    @Override
    public String describe() {
        return "namespace " + namespace + " of the hub " + credentials.server();
    }

    @Override
    public Reading read() throws BadDefinitionException, InterruptedException {
        Map<String, Reading.Found> found = new LinkedHashMap<>();
        version = Optional.empty();
        checked.begin();
        String next = "";
        String listed;
        do {
            JsonNode page = page(next);
            for (JsonNode secret : page.path("items")) {
                String place = "secret " + namespace + "/"
                        + secret.path("metadata").path("name").asString("");
                found.put(place, found(place, new ClusterSecret(secret)));
            }
            next = page.path("metadata").path("continue").asString("");
            listed = page.path("metadata").path("resourceVersion").asString("");
        } while (!next.isEmpty());
        checked.end();
        version = Optional.of(listed);
        return new Reading(found);
    }

    private Reading.Found found(String place, ClusterSecret secret) {
        try {
            return checked.found(place, secret.clusterName(), secret::definition);
        } catch (BadDefinitionException e) {
            return new Reading.Found.Bad(e.reason());
        }
    }

    private JsonNode page(String continued) throws BadDefinitionException, InterruptedException {
        String path = path() + "&limit=" + PAGE + (continued.isEmpty() ? "" : "&continue=" + encoded(continued));
        try {
            HttpResponse<byte[]> answer = client.send(
                    request(path).timeout(ANSWER_PATIENCE).build(), HttpResponse.BodyHandlers.ofByteArray());
            if (answer.statusCode() != 200) {
                throw refused(answer.statusCode());
            }
            return Json.mapper().readTree(answer.body());
        } catch (IOException e) {
            renew(); // a connection to a dead peer would be used again
            throw new BadDefinitionException("its Secrets cannot be listed: " + e, e);
        } catch (JacksonException e) {
            throw new BadDefinitionException("the answer to a list of its Secrets is no JSON");
        }
    }

    private BadDefinitionException refused(int status) {
        if (status == 401) {
            renew();
        }
        String advice = status == 401 || status == 403
                ? "; grant list and watch on secrets in this namespace to the user of cluster.kubeconfig"
                : "";
        return new BadDefinitionException("the list of its Secrets was answered " + status + advice);
    }

    /** Rings at a change of a Secret, at the end of the watch, and now and then; a hub that fails is not asked in a loop. */
    @Override
    public void awaitChange(Duration patience) throws InterruptedException {
        if (version.isEmpty()) {
            Thread.sleep(patience);
            return;
        }
        String path = path() + "&watch=1&allowWatchBookmarks=false&resourceVersion=" + version.get()
                + "&timeoutSeconds=" + LONGEST_WATCH.toSeconds();
        var rung = new CompletableFuture<Boolean>();
        Thread bell = Thread.ofVirtual().name("cluster-secrets").start(() -> rung.complete(watch(path)));
        try {
            if (!rung.get(LONGEST_WATCH.multipliedBy(2).toMillis(), TimeUnit.MILLISECONDS)) {
                Thread.sleep(patience);
            }
        } catch (TimeoutException e) {
            Thread.sleep(patience); // a dead peer shows in no other way; the list that follows tells
        } catch (ExecutionException e) {
            throw new IllegalStateException("the bell never fails", e);
        } finally {
            bell.interrupt();
        }
    }

    /** Whether something changed; a watch that broke or ended says nothing. */
    private boolean watch(String path) {
        try {
            HttpResponse<InputStream> answer = client.send(
                    request(path).timeout(ANSWER_PATIENCE).build(), HttpResponse.BodyHandlers.ofInputStream());
            try (InputStream body = answer.body()) {
                return answer.statusCode() == 200 && body.read() >= 0;
            }
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }

    private void renew() {
        credentials = ApiCredentials.of(hub);
        client.shutdownNow();
        client = client(credentials);
    }

    private String path() {
        return "api/v1/namespaces/" + encoded(namespace) + "/secrets?labelSelector=" + encoded(LABEL);
    }

    private HttpRequest.Builder request(String pathAndQuery) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(credentials.server() + pathAndQuery))
                .header("Accept", "application/json")
                .header("User-Agent", "evenkeel");
        credentials.authorization().ifPresent(value -> request.header("Authorization", value));
        return request;
    }

    private static HttpClient client(ApiCredentials credentials) {
        return credentials
                .prepare(HttpClient.newBuilder())
                .connectTimeout(CONNECT_PATIENCE)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
