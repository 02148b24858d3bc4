package io.evenkeel.sandbox.kube;

import io.evenkeel.sandbox.TrustedCertificates;
import io.evenkeel.sandbox.kube.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** A plain client that trusts one simulator. */
public final class SimClient implements AutoCloseable {
    private final HttpClient http;
    private final String baseUrl;
    private final String token;

    private SimClient(HttpClient http, String baseUrl, String token) {
        this.http = http;
        this.baseUrl = baseUrl;
        this.token = token;
    }

    public static SimClient of(KubeSim sim) {
        return at(sim.baseUrl(), sim.token(), sim.certificateAuthority());
    }

    /** A client of any server. */
    public static SimClient at(String baseUrl, String token, String authorityPem) {
        HttpClient http = HttpClient.newBuilder()
                .sslContext(TrustedCertificates.context(authorityPem))
                .build();
        return new SimClient(http, baseUrl, token);
    }

    public JsonNode get(String path) {
        return Json.parse(text("GET", path, ""));
    }

    public JsonNode post(String path, String body) {
        return Json.parse(text("POST", path, body));
    }

    public JsonNode delete(String path) {
        return Json.parse(text("DELETE", path, ""));
    }

    public List<String> names(String path) {
        return get(path)
                .path("items")
                .valueStream()
                .map(item -> Json.text(item, "metadata", "name"))
                .toList();
    }

    /** The frames of a watch that ends by itself, as {@code TYPE name} or {@code ERROR reason}. */
    public List<String> frames(String path) {
        return text("GET", path, "")
                .lines()
                .map(Json::parse)
                .map(SimClient::line)
                .toList();
    }

    private static String line(JsonNode frame) {
        String type = Json.text(frame, "type");
        return type + " "
                + (type.equals("ERROR")
                        ? Json.text(frame, "object", "reason")
                        : Json.text(frame, "object", "metadata", "name"));
    }

    private String text(String method, String path, String body) {
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create(baseUrl + path))
                    .header("Authorization", "Bearer " + token)
                    .header("Content-Type", "application/json")
                    .method(method, HttpRequest.BodyPublishers.ofString(body))
                    .build();
            return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
