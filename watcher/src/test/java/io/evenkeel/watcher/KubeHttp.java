package io.evenkeel.watcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import tools.jackson.databind.JsonNode;

/** Writes to an API server as a user would, and fails the test if it refuses. */
final class KubeHttp implements AutoCloseable {
    private final String url;
    private final String token;
    private final HttpClient client;

    KubeHttp(String url, String token) {
        this.url = url;
        this.token = token;
        this.client = HttpClient.newBuilder().sslContext(trustEverything()).build();
    }

    JsonNode create(String path, String json) {
        return send("POST", path, "application/json", json, 201);
    }

    JsonNode merge(String path, String json) {
        return send("PATCH", path, "application/merge-patch+json", json, 200);
    }

    JsonNode delete(String path) {
        return send("DELETE", path, "application/json", "{}", 200);
    }

    JsonNode get(String path) {
        return send("GET", path, "application/json", "", 200);
    }

    HttpResponse<java.io.InputStream> open(String path) throws IOException, InterruptedException {
        return client.send(request("GET", path, "").build(), HttpResponse.BodyHandlers.ofInputStream());
    }

    JsonNode send(String method, String path, String contentType, String json, int expected) {
        try {
            HttpResponse<String> response = client.send(
                    request(method, path, json)
                            .header("Content-Type", contentType)
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(response.statusCode())
                    .as("%s %s: %s", method, path, response.body())
                    .isEqualTo(expected);
            return Json.mapper().readTree(response.body());
        } catch (IOException e) {
            throw new AssertionError(method + " " + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }

    private HttpRequest.Builder request(String method, String path, String json) {
        return HttpRequest.newBuilder(URI.create(url + path))
                .header("Authorization", "Bearer " + token)
                .method(
                        method,
                        json.isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(json));
    }

    private static SSLContext trustEverything() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new Trusting()}, new SecureRandom());
            return context;
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private static final class Trusting extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, java.net.Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, java.net.Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
