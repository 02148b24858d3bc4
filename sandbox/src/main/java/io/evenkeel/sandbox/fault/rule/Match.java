package io.evenkeel.sandbox.fault.rule;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Which requests a rule is about. Every part must fit; an empty part fits everything.
 *
 * @param verbs one of these
 * @param resources one of these: {@code pods}, {@code deployments.apps}, {@code deployments.apps/status}, {@code pods/*}
 *     for any subresource; without a slash the subresources are not meant
 * @param namespaces one of these
 * @param names one of these objects
 * @param clusters one of these clusters
 * @param path the whole path, in which {@code *} stands for any text
 */
public record Match(
        Set<Verb> verbs,
        Set<String> resources,
        Set<String> namespaces,
        Set<String> names,
        Set<String> clusters,
        Optional<String> path) {

    /** Takes copies. */
    public Match {
        verbs = Set.copyOf(verbs);
        resources = Set.copyOf(resources);
        namespaces = Set.copyOf(namespaces);
        names = Set.copyOf(names);
        clusters = Set.copyOf(clusters);
    }

    /** Fits every request. */
    public static Match any() {
        return new Match(Set.of(), Set.of(), Set.of(), Set.of(), Set.of(), Optional.empty());
    }

    /** True if the request is one of those. */
    public boolean fits(KubeRequest request) {
        return fits(verbs, request.verb())
                && (resources.isEmpty() || resources.stream().anyMatch(resource -> fitsResource(resource, request)))
                && fits(namespaces, request.namespace())
                && fits(names, request.name())
                && fits(clusters, request.cluster())
                && path.map(glob -> fitsGlob(glob, request.path())).orElse(true);
    }

    private static <T> boolean fits(Set<T> allowed, T value) {
        return allowed.isEmpty() || allowed.contains(value);
    }

    private static boolean fitsResource(String wanted, KubeRequest request) {
        int slash = wanted.indexOf('/');
        String resource = slash < 0 ? wanted : wanted.substring(0, slash);
        String subresource = slash < 0 ? "" : wanted.substring(slash + 1);
        return resource.equals(request.resource())
                && (subresource.equals("*")
                        ? !request.subresource().isEmpty()
                        : subresource.equals(request.subresource()));
    }

    private static boolean fitsGlob(String glob, String path) {
        StringBuilder expression = new StringBuilder();
        for (String literal : glob.split("\\*", -1)) {
            expression.append(expression.isEmpty() ? "" : ".*").append(Pattern.quote(literal));
        }
        return Pattern.matches(expression.toString(), path);
    }
}
