package io.evenkeel.cli.bench;

import io.evenkeel.cli.bench.tls.Tls;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The yardstick of a first list: the same pages, read over one connection and thrown away. It is a stricter one than a
 * shell loop with curl, which would shake hands for each page.
 */
final class BareList {
    /** The list's own metadata comes before its items. */
    private static final int HEAD = 4_096;

    private static final Pattern CONTINUE = Pattern.compile("\"continue\":\"([^\"]+)\"");

    private BareList() {}

    /**
     * Reads all pages.
     *
     * @return how long it took, in seconds
     */
    static double seconds(Config config, String path, int pageSize) throws InterruptedException {
        String base = config.getMasterUrl().replaceAll("/+$", "") + path + "?limit=" + pageSize;
        long begun = System.nanoTime();
        try (HttpClient client =
                HttpClient.newBuilder().sslContext(Tls.of(config)).build()) {
            Optional<String> token = Optional.of("");
            while (token.isPresent()) {
                token = next(client, config, base + token.get());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the bare list failed", e);
        }
        return (System.nanoTime() - begun) / 1e9;
    }

    private static Optional<String> next(HttpClient client, Config config, String uri)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(uri)).header("Accept", "application/json");
        if (config.getAutoOAuthToken() != null) {
            request.header("Authorization", "Bearer " + config.getAutoOAuthToken());
        }
        HttpResponse<byte[]> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        if (answer.statusCode() != 200) {
            throw new IOException("the API server answered " + answer.statusCode());
        }
        byte[] body = answer.body();
        Matcher found = CONTINUE.matcher(new String(body, 0, Math.min(body.length, HEAD), StandardCharsets.UTF_8));
        return found.find()
                ? Optional.of("&continue=" + URLEncoder.encode(found.group(1), StandardCharsets.UTF_8))
                : Optional.empty();
    }
}
