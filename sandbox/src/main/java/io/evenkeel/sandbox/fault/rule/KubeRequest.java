package io.evenkeel.sandbox.fault.rule;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A request as far as rules look at it.
 *
 * @param cluster which cluster it goes to
 * @param verb what it does
 * @param path without the query, as sent
 * @param resource {@code <plural>} for the core group, otherwise {@code <plural>.<group>}; empty for {@link Verb#OTHER}
 * @param subresource empty if none
 * @param namespace empty if cluster-wide
 * @param name empty if not of one object
 * @param query decoded parameters, the first value of each
 */
public record KubeRequest(
        String cluster,
        Verb verb,
        String path,
        String resource,
        String subresource,
        String namespace,
        String name,
        Map<String, String> query) {

    /** Takes a copy. */
    public KubeRequest {
        query = Map.copyOf(query);
    }

    /**
     * Reads a request line as a Kubernetes API server does.
     *
     * @param cluster which cluster it goes to
     * @param method of HTTP
     * @param pathAndQuery as sent, starting with a slash
     */
    public static KubeRequest of(String cluster, String method, String pathAndQuery) {
        int mark = pathAndQuery.indexOf('?');
        String path = mark < 0 ? pathAndQuery : pathAndQuery.substring(0, mark);
        Map<String, String> query = mark < 0 ? Map.of() : parameters(pathAndQuery.substring(mark + 1));
        List<String> parts = Arrays.stream(path.split("/", -1))
                .filter(part -> !part.isEmpty())
                .map(KubeRequest::decode)
                .toList();
        Optional<Target> target = target(parts);
        if (target.isEmpty()) {
            return new KubeRequest(cluster, Verb.OTHER, path, "", "", "", "", query);
        }
        Target found = target.get();
        return new KubeRequest(
                cluster,
                verb(method, found, query),
                path,
                found.resource,
                found.subresource,
                found.namespace,
                found.name,
                query);
    }

    private record Target(String resource, String subresource, String namespace, String name) {}

    private static Optional<Target> target(List<String> parts) {
        boolean core = parts.size() >= 3 && parts.get(0).equals("api");
        boolean grouped = parts.size() >= 4 && parts.get(0).equals("apis");
        if (!core && !grouped) {
            return Optional.empty();
        }
        String suffix = core ? "" : "." + parts.get(1);
        List<String> rest = parts.subList(core ? 2 : 3, parts.size());
        // "namespaces/x" alone is the namespace itself, and so are its own subresources
        boolean namespaced = rest.size() >= 3
                && rest.get(0).equals("namespaces")
                && !(rest.size() == 3 && List.of("status", "finalize").contains(rest.get(2)));
        String namespace = namespaced ? rest.get(1) : "";
        List<String> own = namespaced ? rest.subList(2, rest.size()) : rest;
        String name = own.size() > 1 ? own.get(1) : "";
        String subresource = own.size() > 2 ? own.get(2) : "";
        return Optional.of(new Target(own.getFirst() + suffix, subresource, namespace, name));
    }

    private static Verb verb(String method, Target target, Map<String, String> query) {
        boolean collection = target.name.isEmpty();
        return switch (method) {
            case "GET", "HEAD" -> {
                boolean watch = List.of("true", "1").contains(query.getOrDefault("watch", ""));
                yield watch ? Verb.WATCH : collection ? Verb.LIST : Verb.GET;
            }
            case "POST" -> Verb.CREATE;
            case "PUT" -> Verb.UPDATE;
            case "PATCH" -> Verb.PATCH;
            case "DELETE" -> collection ? Verb.DELETECOLLECTION : Verb.DELETE;
            default -> Verb.OTHER;
        };
    }

    private static Map<String, String> parameters(String query) {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String pair : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            String key = decode(equals < 0 ? pair : pair.substring(0, equals));
            parameters.putIfAbsent(key, equals < 0 ? "" : decode(pair.substring(equals + 1)));
        }
        return parameters;
    }

    private static String decode(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            return text; // the server behind may say what it thinks of it
        }
    }
}
