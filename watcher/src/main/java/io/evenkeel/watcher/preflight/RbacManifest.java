package io.evenkeel.watcher.preflight;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.evenkeel.api.json.Json;
import io.evenkeel.watcher.ResourceName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The YAML that lets a user watch resources: a ClusterRole, a Role for each namespace of what is watched in one namespace
 * only, and their bindings. It allows everything that the watcher needs and not only what is missing, because whoever applies
 * it again replaces the roles of that name.
 *
 * @param name of roles and bindings
 * @param user as the API server names it; a service account is recognised
 * @param grants resources to be listed and watched
 */
public record RbacManifest(String name, String user, List<Grant> grants) {
    private static final String SERVICE_ACCOUNT = "system:serviceaccount:";

    /** Takes a copy of the list. */
    public RbacManifest {
        grants = List.copyOf(grants);
    }

    /**
     * A resource to be listed and watched.
     *
     * @param namespace where; absent for everywhere
     */
    public record Grant(ResourceName resource, Optional<String> namespace) {}

    /** Two documents, and two for each namespace. */
    public String yaml() {
        var text = new StringBuilder(role("ClusterRole", Optional.empty()));
        text.append("""
            - apiGroups: [""]
              resources: ["namespaces"]
              resourceNames: ["kube-system"]
              verbs: ["get"]
            """);
        text.append(binding("ClusterRole", Optional.empty()));
        var namespaces = new TreeSet<String>();
        grants.forEach(grant -> grant.namespace().ifPresent(namespaces::add));
        namespaces.stream()
                .map(Optional::of)
                .forEach(namespace -> text.append(role("Role", namespace)).append(binding("Role", namespace)));
        return text.toString();
    }

    private String role(String kind, Optional<String> namespace) {
        var text = new StringBuilder("""
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: %s
            metadata:
            %srules:
            """.formatted(kind, metadata(namespace)));
        byGroup(namespace).forEach((group, plurals) -> text.append(rule(group, plurals)));
        return text.toString();
    }

    private String binding(String kind, Optional<String> namespace) {
        return """
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: %1$sBinding
            metadata:
            %2$sroleRef:
              apiGroup: rbac.authorization.k8s.io
              kind: %1$s
              name: %3$s
            subjects:
            """.formatted(kind, metadata(namespace), quoted(name)) + subject();
    }

    private String metadata(Optional<String> namespace) {
        String named = "  name: " + quoted(name) + "\n";
        return namespace
                .map(where -> named + "  namespace: " + quoted(where) + "\n")
                .orElse(named);
    }

    private Map<String, TreeSet<String>> byGroup(Optional<String> namespace) {
        var groups = new TreeMap<String, TreeSet<String>>();
        grants.stream()
                .filter(grant -> grant.namespace().equals(namespace))
                .map(Grant::resource)
                .forEach(resource -> groups.computeIfAbsent(resource.group(), unused -> new TreeSet<>())
                        .add(resource.plural()));
        return groups;
    }

    private static String rule(String group, TreeSet<String> plurals) {
        String list =
                String.join(", ", plurals.stream().map(RbacManifest::quoted).toList());
        return """
            - apiGroups: [%s]
              resources: [%s]
              verbs: ["list", "watch"]
            """.formatted(quoted(group), list);
    }

    private String subject() {
        String[] parts = user.split(":", -1);
        if (user.startsWith(SERVICE_ACCOUNT) && parts.length == 4) {
            return """
                - kind: ServiceAccount
                  namespace: %s
                  name: %s
                """.formatted(quoted(parts[2]), quoted(parts[3]));
        }
        return """
            - kind: User
              apiGroup: rbac.authorization.k8s.io
              name: %s
            """.formatted(quoted(user));
    }

    /** A JSON text is a YAML text, whatever is in it. */
    private static String quoted(String text) {
        return new String(Json.write(text), UTF_8);
    }
}
