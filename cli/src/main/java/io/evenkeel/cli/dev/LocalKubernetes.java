package io.evenkeel.cli.dev;

import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.process.StartupException;
import io.evenkeel.sandbox.kube.KubeSim;
import io.evenkeel.sandbox.real.KubeBinaries;
import io.evenkeel.sandbox.real.RealKubeApi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * A running Kubernetes API.
 *
 * @param kubeconfig how to reach it
 * @param description what it is, for people
 * @param ours whether we started it, and may install the example's definition
 * @param part stops it
 */
record LocalKubernetes(Path kubeconfig, String description, boolean ours, AutoCloseable part) {
    private static final String PART = "the Kubernetes API";

    /**
     * Starts the chosen one and returns when it answers.
     *
     * @throws StartupException if it can't be had
     */
    static LocalKubernetes start(
            KubernetesChoice choice, int port, DataFolder folder, Map<String, String> environment) {
        return switch (choice) {
            case KubernetesChoice.Simulated simulated -> simulated(port, folder);
            case KubernetesChoice.Real real -> real(port, folder, environment);
            case KubernetesChoice.Existing(Path kubeconfig) -> existing(kubeconfig);
        };
    }

    private static LocalKubernetes simulated(int port, DataFolder folder) {
        try {
            KubeSim sim = KubeSim.builder()
                    .port(port)
                    .dataFolder(folder.kubernetes("sim"))
                    .simulateWorkloads(true)
                    .start();
            return new LocalKubernetes(
                    folder.writeKubeconfig(sim.kubeconfig()), "simulated, " + sim.baseUrl(), true, sim);
        } catch (IOException | RuntimeException e) {
            throw Ports.explain(e, PART, port, Ports.KUBERNETES_FLAG);
        }
    }

    private static LocalKubernetes real(int port, DataFolder folder, Map<String, String> environment) {
        KubeBinaries binaries = switch (KubeBinaries.search(environment)) {
            case KubeBinaries.Search.Found found -> found.binaries();
            case KubeBinaries.Search.Missing missing ->
                throw new StartupException(
                        ExitCode.UNREACHABLE,
                        "--kubernetes real needs the programs of Kubernetes. " + missing.reason());
        };
        RealKubeApi.Builder builder = RealKubeApi.builder().port(port).dataFolder(folder.kubernetes("real"));
        // Without the controllers a Deployment stays as it is: nothing becomes ready, nothing is collected.
        RealKubeApi api = (binaries.hasFull() ? builder.full() : builder).build();
        try {
            api.start();
            String description =
                    binaries.hasFull() ? "kube-apiserver with controllers, " : "kube-apiserver without controllers, ";
            return new LocalKubernetes(folder.writeKubeconfig(api.kubeconfig()), description + api.url(), true, api);
        } catch (RuntimeException e) {
            api.close();
            throw Ports.explain(e, PART, port, Ports.KUBERNETES_FLAG);
        }
    }

    private static LocalKubernetes existing(Path kubeconfig) {
        if (!Files.isReadable(kubeconfig)) {
            throw new StartupException(
                    ExitCode.USAGE,
                    "--kubernetes takes sim, real or a kubeconfig file, but there is no readable file " + kubeconfig
                            + ".");
        }
        return new LocalKubernetes(kubeconfig, "your cluster", false, () -> {});
    }
}
