package io.evenkeel.sandbox.fault.upstream;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * A kubeconfig, as far as a proxy needs it: where its servers are, and how to lead its users through the proxy.
 * Immutable.
 */
public final class Kubeconfig {
    private static final YAMLMapper YAML = new YAMLMapper();

    private final Path file;
    private final JsonNode root;

    private Kubeconfig(Path file, JsonNode root) {
        this.file = file;
        this.root = root;
    }

    /**
     * Reads a file.
     *
     * @throws KubeconfigException if it can't be read or is no kubeconfig
     */
    public static Kubeconfig read(Path file) {
        try {
            JsonNode root = YAML.readTree(Files.readString(file, StandardCharsets.UTF_8));
            if (!root.isObject()) {
                throw new KubeconfigException(
                        "kubeconfig " + file + " must be a map with clusters, users and contexts");
            }
            return new Kubeconfig(file, root);
        } catch (IOException e) {
            throw new KubeconfigException("kubeconfig " + file + " can't be read: " + e, e);
        } catch (JacksonException e) {
            int line = e.getLocation() == null ? 1 : Math.max(1, e.getLocation().getLineNr());
            throw new KubeconfigException("kubeconfig " + file + " line " + line + " is not YAML", e);
        }
    }

    /** The names of its contexts. */
    public List<String> contexts() {
        return root.path("contexts").values().stream()
                .map(context -> context.path("name").asString(""))
                .toList();
    }

    /**
     * The context that is used if none is named.
     *
     * @throws KubeconfigException if there is none
     */
    public String currentContext() {
        String current = root.path("current-context").asString("");
        if (current.isEmpty()) {
            throw new KubeconfigException(
                    "kubeconfig " + file + " has no current-context; name one of " + String.join(", ", contexts()));
        }
        return current;
    }

    /**
     * The server of a context, called like the context.
     *
     * @throws KubeconfigException if the context is not there, or asks for something that the proxy can't do
     */
    public Upstream upstream(String context) {
        JsonNode cluster = entry("clusters", reference(context, "cluster"), "cluster");
        String place = "kubeconfig " + file + ", cluster " + reference(context, "cluster");
        for (String unable : List.of("proxy-url", "tls-server-name")) {
            if (cluster.has(unable)) {
                throw new KubeconfigException(place + ": " + unable + " is not supported; reach the server without it");
            }
        }
        Upstream.Trust trust = pem(cluster, "certificate-authority")
                .<Upstream.Trust>map(Upstream.Trust.Authority::new)
                .orElseGet(() -> cluster.path("insecure-skip-tls-verify").asBoolean(false)
                        ? new Upstream.Trust.Anyone()
                        : new Upstream.Trust.KnownToJvm());
        try {
            URI server = URI.create(cluster.path("server").asString(""));
            return new Upstream(context, server, trust, identity(context));
        } catch (IllegalArgumentException e) {
            throw new KubeconfigException(place + ": " + e.getMessage(), e);
        }
    }

    private Optional<ClientIdentity> identity(String context) {
        String name = root(context).path("user").asString("");
        if (name.isEmpty()) {
            return Optional.empty();
        }
        JsonNode user = entry("users", name, "user");
        Optional<String> certificate = pem(user, "client-certificate");
        Optional<String> key = pem(user, "client-key");
        if (certificate.isPresent() != key.isPresent()) {
            throw new KubeconfigException(
                    "kubeconfig " + file + ", user " + name + ": client-certificate and client-key belong together");
        }
        return certificate.map(pem -> new ClientIdentity(pem, key.orElseThrow()));
    }

    private JsonNode root(String context) {
        return entry("contexts", context, "context");
    }

    private String reference(String context, String field) {
        return root(context).path(field).asString("");
    }

    private JsonNode entry(String list, String name, String field) {
        return root.path(list).values().stream()
                .filter(entry -> entry.path("name").asString("").equals(name))
                .map(entry -> entry.path(field))
                .findFirst()
                .orElseThrow(() ->
                        new KubeconfigException("kubeconfig " + file + " has no " + field + " named \"" + name
                                + "\"; it has "
                                + String.join(
                                        ", ",
                                        root.path(list).values().stream()
                                                .map(entry -> entry.path("name").asString(""))
                                                .toList())));
    }

    /** From the field itself, or from the file that the other field names. */
    private Optional<String> pem(JsonNode node, String field) {
        String data = node.path(field + "-data").asString("");
        String path = node.path(field).asString("");
        try {
            if (!data.isEmpty()) {
                return Optional.of(new String(Base64.getMimeDecoder().decode(data), StandardCharsets.US_ASCII));
            }
            return path.isEmpty() ? Optional.empty() : Optional.of(Files.readString(resolve(path)));
        } catch (IllegalArgumentException e) {
            throw new KubeconfigException("kubeconfig " + file + ": " + field + "-data is not Base64", e);
        } catch (IOException e) {
            throw new KubeconfigException("kubeconfig " + file + ": " + field + " can't be read: " + e, e);
        }
    }

    private Path resolve(String path) {
        return file.toAbsolutePath().resolveSibling(path);
    }

    /**
     * Where a proxy is.
     *
     * @param server its address
     * @param certificatePem what clients must trust
     */
    public record Entrance(URI server, String certificatePem) {}

    /**
     * The same contexts and users, but through proxies. Tokens, also from files and commands, are kept; client
     * certificates are not, since the proxy shows them itself.
     *
     * @param entrances by context; other contexts are left out
     * @return a kubeconfig in YAML
     */
    public String through(Map<String, Entrance> entrances) {
        ObjectNode copy = YAML.createObjectNode();
        copy.put("apiVersion", "v1");
        copy.put("kind", "Config");
        String current = root.path("current-context").asString("");
        copy.put(
                "current-context",
                entrances.containsKey(current)
                        ? current
                        : entrances.keySet().iterator().next());
        ArrayNode contexts = copy.putArray("contexts");
        ArrayNode clusters = copy.putArray("clusters");
        Set<String> userNames = new LinkedHashSet<>();
        entrances.forEach((context, entrance) -> {
            // two contexts may share a cluster, but each has a proxy of its own
            ObjectNode body = (ObjectNode) root(context).deepCopy();
            userNames.add(body.path("user").asString(""));
            body.put("cluster", context);
            contexts.addObject().put("name", context).set("context", body);
            ObjectNode cluster = clusters.addObject().put("name", context).putObject("cluster");
            cluster.put("server", entrance.server().toString());
            cluster.put(
                    "certificate-authority-data",
                    Base64.getEncoder().encodeToString(entrance.certificatePem().getBytes(StandardCharsets.US_ASCII)));
        });
        ArrayNode users = copy.putArray("users");
        userNames.stream()
                .filter(name -> !name.isEmpty())
                .forEach(name -> users.addObject()
                        .put("name", name)
                        .set("user", withoutCertificate(entry("users", name, "user"))));
        return YAML.writeValueAsString(copy);
    }

    private JsonNode withoutCertificate(JsonNode user) {
        if (!(user.deepCopy() instanceof ObjectNode kept)) {
            return user;
        }
        kept.remove(List.of("client-certificate", "client-certificate-data", "client-key", "client-key-data"));
        String tokenFile = kept.path("tokenFile").asString("");
        if (!tokenFile.isEmpty()) {
            kept.put("tokenFile", resolve(tokenFile).toString()); // the copy may lie in another folder
        }
        return kept;
    }
}
