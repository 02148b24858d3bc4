package io.evenkeel.watcher.preflight;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.evenkeel.api.json.Json;
import io.evenkeel.watcher.ResourceName;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The YAML that lets a user watch resources: a ClusterRole and its binding. It allows everything that the watcher needs and
 * not only what is missing, because whoever applies it again replaces the role of that name.
 *
 * @param name of role and binding
 * @param user as the API server names it; a service account is recognised
 * @param resources to be listed and watched
 */
public record RbacManifest(String name, String user, List<ResourceName> resources) {
    private static final String SERVICE_ACCOUNT = "system:serviceaccount:";

    /** Takes a copy of the list. */
    public RbacManifest {
        resources = List.copyOf(resources);
    }

    /** Two documents. */
    public String yaml() {
        var text = new StringBuilder();
        text.append("""
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata:
              name: %s
            rules:
            """.formatted(quoted(name)));
        byGroup().forEach((group, plurals) -> text.append(rule(group, plurals)));
        text.append("""
            - apiGroups: [""]
              resources: ["namespaces"]
              resourceNames: ["kube-system"]
              verbs: ["get"]
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata:
              name: %1$s
            roleRef:
              apiGroup: rbac.authorization.k8s.io
              kind: ClusterRole
              name: %1$s
            subjects:
            """.formatted(quoted(name)));
        return text.append(subject()).toString();
    }

    private Map<String, TreeSet<String>> byGroup() {
        var groups = new TreeMap<String, TreeSet<String>>();
        resources.forEach(resource -> groups.computeIfAbsent(resource.group(), unused -> new TreeSet<>())
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
