package io.evenkeel.sandbox.real;

import io.evenkeel.sandbox.process.ChildProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * The way from nothing to a control plane that is ready.
 *
 * @param flags further flags of the API server
 * @param full with controllers and simulated nodes
 */
record KubeStart(KubeBinaries binaries, Path folder, KubeSecrets secrets, List<String> flags, boolean full) {
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final int SIMULATED_NODES = 3;

    /** Where the API server keeps the certificate that it makes for itself. */
    static Path certificate(Path folder) {
        return folder.resolve("certificates").resolve("apiserver.crt");
    }

    /**
     * Returns when the API answers and the namespace {@code default} is there.
     *
     * @param port where the API server shall listen
     * @throws FallenException if a process ended; nothing runs then
     * @throws IllegalStateException if it takes too long; nothing runs then
     */
    ControlPlane on(int port) {
        ControlPlane plane = new ControlPlane(binaries, folder);
        try {
            String etcd = plane.startEtcd();
            Path certificates = folder.resolve("certificates");
            plane.startApiServer(port, etcd, secrets, certificates, flags);
            await(plane, "a certificate", () -> Files.exists(certificate(folder)));
            Kubeconfig kubeconfig = new Kubeconfig("https://127.0.0.1:" + port, secrets.token(), certificate(folder));
            try (KubeClient client = new KubeClient(kubeconfig)) {
                await(plane, "/readyz", () -> client.isOk("/readyz"));
                // created in the background, and the first thing that a user's object needs
                await(plane, "the namespace default", () -> client.isOk("/api/v1/namespaces/default"));
                if (full) {
                    plane.startControllers(kubeconfig.write(folder.resolve("kubeconfig")), secrets, stagesFile());
                    createNodes(client);
                }
            }
            return plane;
        } catch (RuntimeException e) {
            plane.stop();
            throw e;
        }
    }

    private void await(ControlPlane plane, String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + LONGEST.toNanos();
        while (!condition.getAsBoolean()) {
            Optional<ChildProcess> fallen = plane.fallen();
            if (fallen.isPresent()) {
                throw new FallenException(fallen.get());
            }
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(
                        "kube-apiserver has not offered " + what + " within " + LONGEST + "; its log is in " + folder);
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(50);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a control plane started", e);
        }
    }

    private static void createNodes(KubeClient client) {
        String resources = "{\"cpu\":\"64\",\"memory\":\"256Gi\",\"pods\":\"1000\"}";
        for (int node = 1; node <= SIMULATED_NODES; node++) {
            String name = "node-" + node;
            client.create("/api/v1/nodes", """
                {"apiVersion":"v1","kind":"Node",
                 "metadata":{"name":"%s","labels":{"kubernetes.io/hostname":"%s"}},
                 "status":{"allocatable":%s,"capacity":%s}}\
                """.formatted(name, name, resources, resources));
        }
    }

    private Path stagesFile() {
        Path file = folder.resolve("kwok-stages.yaml");
        try (InputStream stages = KubeStart.class.getResourceAsStream("kwok-stages.yaml")) {
            if (stages == null) {
                throw new IllegalStateException("kwok-stages.yaml is missing from this build");
            }
            Files.copy(stages, file, StandardCopyOption.REPLACE_EXISTING);
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }

    /** A process that ended while the control plane was started; the message holds the end of its log. */
    static final class FallenException extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        private final boolean portWasTaken;

        FallenException(ChildProcess process) {
            super(process.output().getFileName() + " ends with:\n" + process.lastLines(8));
            portWasTaken = process.lastLines(50).contains("address already in use");
        }

        /** True if another process was quicker to bind a port that looked free. */
        boolean portWasTaken() {
            return portWasTaken;
        }
    }
}
