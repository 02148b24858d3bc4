package io.evenkeel.runtime.cluster;

import io.evenkeel.api.json.Json;
import io.evenkeel.runtime.settings.Secret;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Reads the Secret of one cluster, in the form that Argo CD has made known: {@code name}, {@code server}, {@code config} as
 * JSON, optionally {@code namespaces}.
 */
final class ClusterSecret {
    private static final List<String> UNSUPPORTED = List.of("awsAuthConfig", "execProviderConfig", "proxyUrl");

    private final JsonNode secret;

    /** @param secret as the API server shows it */
    ClusterSecret(JsonNode secret) {
        this.secret = secret;
    }

    /** What its cluster is called: {@code name}, or the Secret's own name. */
    String clusterName() throws BadDefinitionException {
        return field("name").orElse(secret.path("metadata").path("name").asString(""));
    }

    ClusterDefinition definition() throws BadDefinitionException {
        String server = field("server")
                .orElseThrow(() -> new BadDefinitionException("it lacks server, the address of the API server"));
        JsonNode config = config();
        for (String name : UNSUPPORTED) {
            if (config.has(name)) {
                throw new BadDefinitionException(
                        "config has " + name + ", which is not supported; use bearerToken or a client certificate");
            }
        }
        JsonNode tls = config.path("tlsClientConfig");
        Optional<String> certificate = pem(tls, "certData");
        Optional<Secret> key = pem(tls, "keyData").map(Secret::new);
        if (certificate.isPresent() != key.isPresent()) {
            throw new BadDefinitionException("tlsClientConfig must have certData and keyData, or neither");
        }
        var access = new ClusterAccess.Direct(
                KubeconfigText.server(server),
                text(config, "bearerToken").map(Secret::new),
                text(config, "username"),
                text(config, "password").map(Secret::new),
                pem(tls, "caData"),
                certificate,
                key,
                tls.path("insecure").asBoolean(false),
                text(tls, "serverName"));
        return new ClusterDefinition(clusterName(), access, namespace());
    }

    private Optional<String> namespace() throws BadDefinitionException {
        List<String> names = field("namespaces").stream()
                .flatMap(list -> Arrays.stream(list.split(",")))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .distinct()
                .toList();
        if (names.size() > 1) {
            throw new BadDefinitionException("namespaces names " + names.size()
                    + " namespaces, but a cluster is watched in all of them or in one; leave it out, or name one");
        }
        return names.stream().findFirst();
    }

    private JsonNode config() throws BadDefinitionException {
        try {
            JsonNode config = Json.mapper().readTree(field("config").orElse("{}"));
            if (config.isObject()) {
                return config;
            }
        } catch (JacksonException e) {
            // Jackson's own message quotes the text, and with it tokens and keys.
            throw new BadDefinitionException("config is no JSON, see character "
                    + (e.getLocation() == null ? 1 : e.getLocation().getColumnNr()));
        }
        throw new BadDefinitionException("config must be a JSON object such as {\"bearerToken\": \"…\"}");
    }

    private Optional<String> field(String name) throws BadDefinitionException {
        return decoded(secret.path("data"), name).map(String::strip).filter(text -> !text.isEmpty());
    }

    private static Optional<String> pem(JsonNode tls, String field) throws BadDefinitionException {
        return decoded(tls, field);
    }

    private static Optional<String> decoded(JsonNode node, String field) throws BadDefinitionException {
        Optional<String> text = text(node, field);
        try {
            return text.map(encoded -> new String(Base64.getMimeDecoder().decode(encoded), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            throw new BadDefinitionException(field + " is not Base64", e);
        }
    }

    private static Optional<String> text(JsonNode node, String field) {
        return Stream.of(node.path(field).asString(""))
                .filter(text -> !text.isEmpty())
                .findFirst();
    }
}
