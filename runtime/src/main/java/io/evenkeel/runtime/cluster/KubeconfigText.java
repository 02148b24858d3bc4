package io.evenkeel.runtime.cluster;

import io.evenkeel.runtime.settings.Secret;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * The text of a kubeconfig, and what its contexts say. Each context is cut out as a kubeconfig of its own, so that hundreds
 * of them are neither parsed nor compared as a whole again and again. Immutable.
 */
final class KubeconfigText {
    private static final YAMLMapper YAML = new YAMLMapper(new YAMLFactory());
    private static final List<String> CLUSTER_FILES = List.of("certificate-authority");
    private static final List<String> USER_FILES = List.of("client-certificate", "client-key", "tokenFile");

    private final Path file;
    private final JsonNode root;

    private KubeconfigText(Path file, JsonNode root) {
        this.file = file;
        this.root = root;
    }

    /** @throws BadDefinitionException if the text is no kubeconfig */
    static KubeconfigText parse(Path file, String text) throws BadDefinitionException {
        JsonNode root;
        try {
            root = YAML.readTree(text);
        } catch (JacksonException e) {
            // Jackson's own message quotes the text, and with it tokens and keys.
            int line = e.getLocation() == null ? 1 : Math.max(1, e.getLocation().getLineNr());
            throw new BadDefinitionException("it is no YAML, see line " + line);
        }
        if (root == null
                || !root.path("contexts").isArray()
                || root.path("contexts").isEmpty()) {
            throw new BadDefinitionException("it is no kubeconfig: it has no contexts");
        }
        return new KubeconfigText(file.toAbsolutePath(), root);
    }

    /** The names of its contexts, in their order. */
    List<String> contexts() {
        return root.path("contexts")
                .valueStream()
                .map(context -> context.path("name").asString(""))
                .toList();
    }

    /** The context to use if none is named: the current one, or the only one. */
    String context() throws BadDefinitionException {
        String current = root.path("current-context").asString("");
        if (!current.isEmpty()) {
            return current;
        }
        List<String> contexts = contexts();
        if (contexts.size() != 1) {
            throw new BadDefinitionException(
                    "it has no current-context and several contexts; set current-context to one of " + contexts);
        }
        return contexts.getFirst();
    }

    /** @throws BadDefinitionException if the context is not there, or cannot be used */
    ClusterAccess.Kubeconfig access(String context) throws BadDefinitionException {
        JsonNode reference = entry("contexts", context, "context");
        String clusterName = reference.path("cluster").asString("");
        String userName = reference.path("user").asString("");
        var cluster = (ObjectNode) entry("clusters", clusterName, "cluster").deepCopy();
        var user = userName.isEmpty()
                ? YAML.createObjectNode()
                : (ObjectNode) entry("users", userName, "user").deepCopy();
        checkServer(clusterName, cluster);
        var named = new ArrayList<Path>();
        CLUSTER_FILES.forEach(field -> absolute(cluster, field).ifPresent(named::add));
        USER_FILES.forEach(field -> absolute(user, field)
                .filter(path -> !field.equals("tokenFile")) // read for each request
                .ifPresent(named::add));
        JsonNode exec = user.path("exec");
        if (exec.path("command").asString("").contains("/")) {
            absolute((ObjectNode) exec, "command");
        }
        return new ClusterAccess.Kubeconfig(file, new Secret(alone(cluster, user)), fingerprint(named));
    }

    private static String alone(ObjectNode cluster, ObjectNode user) {
        ObjectNode alone = YAML.createObjectNode();
        alone.put("apiVersion", "v1").put("kind", "Config").put("current-context", "it");
        alone.putArray("contexts")
                .addObject()
                .put("name", "it")
                .putObject("context")
                .put("cluster", "it")
                .put("user", "it");
        alone.putArray("clusters").addObject().put("name", "it").set("cluster", cluster);
        alone.putArray("users").addObject().put("name", "it").set("user", user);
        return alone.toString(); // JSON is YAML
    }

    private static void checkServer(String name, JsonNode cluster) throws BadDefinitionException {
        if (!cluster.path("proxy-url").asString("").isEmpty()) {
            throw new BadDefinitionException(
                    "cluster " + name + " has a proxy-url, which is not supported; reach the server without it");
        }
        server(cluster.path("server").asString(""));
    }

    /** @throws BadDefinitionException if the text is no address of an API server */
    static URI server(String text) throws BadDefinitionException {
        try {
            URI server = URI.create(text);
            boolean isHttp = "https".equals(server.getScheme()) || "http".equals(server.getScheme());
            if (isHttp && server.getHost() != null && server.getUserInfo() == null) {
                return server;
            }
        } catch (IllegalArgumentException e) {
            throw new BadDefinitionException(badServer(text), e);
        }
        throw new BadDefinitionException(badServer(text));
    }

    private static String badServer(String text) {
        return "server must be an address such as https://10.0.0.1:6443 but is '" + text + "'";
    }

    private JsonNode entry(String list, String name, String field) throws BadDefinitionException {
        List<JsonNode> entries = root.path(list).valueStream().toList();
        return entries.stream()
                .filter(entry -> entry.path("name").asString("").equals(name))
                .map(entry -> entry.path(field))
                .filter(JsonNode::isObject)
                .findFirst()
                .orElseThrow(() -> new BadDefinitionException("it has no " + field + " named '" + name + "'; it has "
                        + entries.stream()
                                .map(entry -> entry.path("name").asString(""))
                                .toList()));
    }

    private Optional<Path> absolute(ObjectNode node, String field) {
        String path = node.path(field).asString("");
        if (path.isEmpty()) {
            return Optional.empty();
        }
        Path resolved = file.resolveSibling(path);
        node.put(field, resolved.toString());
        return Optional.of(resolved);
    }

    private static String fingerprint(List<Path> files) throws BadDefinitionException {
        if (files.isEmpty()) {
            return "";
        }
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (Path named : files) {
                digest.update(named.toString().getBytes(StandardCharsets.UTF_8));
                digest.update(Files.readAllBytes(named));
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (IOException e) {
            throw new BadDefinitionException("a file that it names cannot be read: " + e, e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
