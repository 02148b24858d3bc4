package io.evenkeel.cli.dev;

import java.nio.file.Path;

/** Which Kubernetes API {@code dev} works with; exactly one of these. */
sealed interface KubernetesChoice {
    /** A simulated one in this process. */
    record Simulated() implements KubernetesChoice {}

    /** A real API server, started beside this process. */
    record Real() implements KubernetesChoice {}

    /**
     * A cluster that is there already.
     *
     * @param kubeconfig says how to reach it
     */
    record Existing(Path kubeconfig) implements KubernetesChoice {}

    /** Reads what a person typed: {@code sim}, {@code real}, or the path of a kubeconfig. */
    static KubernetesChoice parse(String text) {
        return switch (text) {
            case "sim" -> new Simulated();
            case "real" -> new Real();
            default -> new Existing(Path.of(text).toAbsolutePath());
        };
    }
}
