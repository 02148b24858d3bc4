package io.evenkeel.watcher.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.watcher.ResourceName;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class RbacManifestTest {
    @Test
    void givenServiceAccount_whenWritten_thenRoleAndBindingAreComplete() {
        assertThat(manifest("system:serviceaccount:evenkeel:watcher")).isEqualTo("""
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata:
              name: "evenkeel.watcher"
            rules:
            - apiGroups: [""]
              resources: ["pods", "services"]
              verbs: ["list", "watch"]
            - apiGroups: ["apps"]
              resources: ["deployments"]
              verbs: ["list", "watch"]
            - apiGroups: [""]
              resources: ["namespaces"]
              resourceNames: ["kube-system"]
              verbs: ["get"]
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata:
              name: "evenkeel.watcher"
            roleRef:
              apiGroup: rbac.authorization.k8s.io
              kind: ClusterRole
              name: "evenkeel.watcher"
            subjects:
            - kind: ServiceAccount
              namespace: "evenkeel"
              name: "watcher"
            """);
    }

    @Test
    void givenUser_whenWritten_thenItsNameIsQuotedWhateverIsInIt() {
        assertThat(manifest("oidc:\"me\": #1")).endsWith("""
            subjects:
            - kind: User
              apiGroup: rbac.authorization.k8s.io
              name: "oidc:\\"me\\": #1"
            """);
    }

    @Test
    void givenNamespaces_whenWritten_thenEachHasARoleOfItsOwnAndNothingElseIsAllowedEverywhere() {
        String everywhere = """
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata:
              name: "evenkeel.watcher"
            rules:
            - apiGroups: [""]
              resources: ["nodes"]
              verbs: ["list", "watch"]
            - apiGroups: [""]
              resources: ["namespaces"]
              resourceNames: ["kube-system"]
              verbs: ["get"]
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata:
              name: "evenkeel.watcher"
            roleRef:
              apiGroup: rbac.authorization.k8s.io
              kind: ClusterRole
              name: "evenkeel.watcher"
            subjects:
            - kind: User
              apiGroup: rbac.authorization.k8s.io
              name: "ann"
            """;
        String inA = """
            - apiGroups: [""]
              resources: ["pods"]
              verbs: ["list", "watch"]
            - apiGroups: ["apps"]
              resources: ["deployments"]
              verbs: ["list", "watch"]
            """;
        String inB = """
            - apiGroups: [""]
              resources: ["services"]
              verbs: ["list", "watch"]
            """;
        assertThat(manifest("ann", "nodes", "pods -n a", "services -n b", "deployments.apps -n a"))
                .isEqualTo(everywhere + role("a", inA) + role("b", inB));
    }

    private static String role(String namespace, String rules) {
        return """
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: Role
            metadata:
              name: "evenkeel.watcher"
              namespace: "%1$s"
            rules:
            %2$s---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata:
              name: "evenkeel.watcher"
              namespace: "%1$s"
            roleRef:
              apiGroup: rbac.authorization.k8s.io
              kind: Role
              name: "evenkeel.watcher"
            subjects:
            - kind: User
              apiGroup: rbac.authorization.k8s.io
              name: "ann"
            """.formatted(namespace, rules);
    }

    private static String manifest(String user) {
        return manifest(user, "services", "deployments.apps", "pods");
    }

    private static String manifest(String user, String... resources) {
        List<RbacManifest.Grant> grants = Stream.of(resources)
                .map(resource -> resource.split(" -n "))
                .map(parts -> new RbacManifest.Grant(
                        ResourceName.parse(parts[0]), parts.length == 1 ? Optional.empty() : Optional.of(parts[1])))
                .toList();
        return new RbacManifest("evenkeel.watcher", user, grants).yaml();
    }
}
