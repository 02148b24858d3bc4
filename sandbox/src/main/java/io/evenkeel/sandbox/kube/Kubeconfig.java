package io.evenkeel.sandbox.kube;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/** Writes the kubeconfig of a simulator. Stateless. */
final class Kubeconfig {
    private Kubeconfig() {}

    static String of(KubeSim sim, List<String> clusters) {
        String authority =
                Base64.getEncoder().encodeToString(sim.certificateAuthority().getBytes(StandardCharsets.UTF_8));
        StringBuilder text = new StringBuilder("apiVersion: v1\nkind: Config\ncurrent-context: ")
                .append(clusters.getFirst())
                .append("\nclusters:\n");
        for (String cluster : clusters) {
            text.append("- name: ")
                    .append(cluster)
                    .append("\n  cluster:\n    server: ")
                    .append(sim.baseUrl(cluster));
            text.append("\n    certificate-authority-data: ").append(authority).append('\n');
        }
        text.append("users:\n- name: admin\n  user:\n    token: ")
                .append(sim.token())
                .append("\ncontexts:\n");
        for (String cluster : clusters) {
            text.append("- name: ")
                    .append(cluster)
                    .append("\n  context:\n    cluster: ")
                    .append(cluster);
            text.append("\n    user: admin\n");
        }
        return text.toString();
    }
}
