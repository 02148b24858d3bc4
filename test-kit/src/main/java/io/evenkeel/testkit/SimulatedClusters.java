package io.evenkeel.testkit;

import io.evenkeel.sandbox.kube.KubeSim;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.stream.IntStream;

/** Fresh clusters for tests: one server of the JVM plays many, and another is started when they are used up. Thread-safe. */
final class SimulatedClusters {
    private static final int CLUSTERS_PER_SERVER = 64;
    private static final Queue<Fresh> FRESH = new ArrayDeque<>(); // guarded by this class

    private SimulatedClusters() {}

    /**
     * A cluster that nobody has used.
     *
     * @param name its id
     * @param kubeconfig the way to it
     */
    record Fresh(String name, String kubeconfig) {}

    static synchronized Fresh take() {
        if (FRESH.isEmpty()) {
            start();
        }
        return FRESH.remove();
    }

    private static void start() {
        List<String> names = IntStream.range(0, CLUSTERS_PER_SERVER)
                .mapToObj(number -> "case-" + number)
                .toList();
        try {
            KubeSim server = KubeSim.builder().clusters(names).start();
            Runtime.getRuntime().addShutdownHook(new Thread(server::close));
            names.forEach(name -> FRESH.add(new Fresh(name, server.kubeconfig(name))));
        } catch (IOException e) {
            throw new UncheckedIOException("the simulated API server could not be started", e);
        }
    }
}
