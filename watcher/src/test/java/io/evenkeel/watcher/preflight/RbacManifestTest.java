package io.evenkeel.watcher.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.watcher.ResourceName;
import java.util.List;
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

    private static String manifest(String user) {
        List<ResourceName> resources = Stream.of("services", "deployments.apps", "pods")
                .map(ResourceName::parse)
                .toList();
        return new RbacManifest("evenkeel.watcher", user, resources).yaml();
    }
}
