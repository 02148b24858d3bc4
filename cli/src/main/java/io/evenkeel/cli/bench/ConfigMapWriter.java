package io.evenkeel.cli.bench;

import io.evenkeel.cli.bench.tls.Tls;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocketFactory;

/**
 * Replaces ConfigMaps, spending as little of the processors as it can: what loads shares the machine with what is
 * measured. Thread-safe.
 */
final class ConfigMapWriter {
    /** Connections that the JDK keeps open between two requests. */
    private static final String KEPT_CONNECTIONS = "http.maxConnections";

    private final String base;
    private final String token;
    private final SSLSocketFactory sockets;

    /**
     * @param namespace of the ConfigMaps
     * @param writers most writes at one time
     */
    ConfigMapWriter(Config config, String namespace, int writers) {
        System.setProperty(KEPT_CONNECTIONS, Integer.toString(writers));
        String server = config.getMasterUrl().replaceAll("/+$", "");
        base = server + "/api/v1/namespaces/" + namespace + "/configmaps/";
        token = config.getAutoOAuthToken() == null ? "" : config.getAutoOAuthToken();
        sockets = Tls.of(config).getSocketFactory();
    }

    /**
     * Replaces the object, whatever its version.
     *
     * @param data JSON object of its data
     * @throws UncheckedIOException if the API server does not carry it out
     */
    void replace(String name, String data) {
        byte[] body = """
            {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"%s"},"data":%s}\
            """.formatted(name, data).getBytes(StandardCharsets.UTF_8);
        try {
            HttpsURLConnection connection =
                    (HttpsURLConnection) URI.create(base + name).toURL().openConnection();
            connection.setSSLSocketFactory(sockets);
            connection.setRequestMethod("PUT");
            connection.setRequestProperty("Authorization", "Bearer " + token);
            connection.setRequestProperty("Content-Type", "application/json");
            connection.setDoOutput(true);
            connection.setFixedLengthStreamingMode(body.length);
            try (var out = connection.getOutputStream()) {
                out.write(body);
            }
            if (connection.getResponseCode() != HttpsURLConnection.HTTP_OK) {
                throw new IOException(
                        "the API server answered " + connection.getResponseCode() + " to a change of " + name);
            }
            try (InputStream answer = connection.getInputStream()) {
                answer.transferTo(java.io.OutputStream.nullOutputStream()); // read to its end, the connection is kept
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
