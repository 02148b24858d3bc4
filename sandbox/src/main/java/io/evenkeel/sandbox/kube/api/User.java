package io.evenkeel.sandbox.kube.api;

import java.util.List;
import java.util.Set;

/**
 * Who asks, and what this user may do. Immutable.
 *
 * @param rules what is allowed; nothing else is
 */
public record User(String name, List<Rule> rules) {
    /** Who comes without a token; may ask whether the server is well. */
    public static final User ANONYMOUS = new User("system:anonymous", List.of());

    private static final String ALL = "*";

    /**
     * Allows some verbs on some resources; {@code *} stands for all.
     *
     * @param resources with their group, for example {@code pods} or {@code deployments.apps}
     * @param namespaces an empty string stands for the cluster scope and for lists over all namespaces
     */
    public record Rule(Set<String> verbs, Set<String> resources, Set<String> namespaces) {
        public Rule {
            verbs = Set.copyOf(verbs);
            resources = Set.copyOf(resources);
            namespaces = Set.copyOf(namespaces);
        }

        boolean allows(String verb, String resource, String namespace) {
            return holds(verbs, verb) && holds(resources, resource) && holds(namespaces, namespace);
        }

        /** Whether the rule says something about a namespace. */
        public boolean holdsIn(String namespace) {
            return holds(namespaces, namespace);
        }

        private static boolean holds(Set<String> allowed, String asked) {
            return allowed.contains(ALL) || allowed.contains(asked);
        }
    }

    public User {
        rules = List.copyOf(rules);
    }

    /** A user without limits. */
    public static User administrator(String name) {
        return new User(name, List.of(new Rule(Set.of(ALL), Set.of(ALL), Set.of(ALL))));
    }

    public boolean may(String verb, String resource, String namespace) {
        return rules.stream().anyMatch(rule -> rule.allows(verb, resource, namespace));
    }
}
