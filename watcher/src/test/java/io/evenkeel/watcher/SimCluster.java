package io.evenkeel.watcher;

import io.evenkeel.sandbox.fault.FaultProxy;
import io.evenkeel.sandbox.fault.upstream.Kubeconfig;
import io.evenkeel.sandbox.kube.KubeSim;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A simulated API server, the fault proxy that watchers see it through, and a user who goes straight to it. */
final class SimCluster implements AutoCloseable {
    static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

    final KubeSim sim;
    final KubeHttp kube;
    final FaultProxy proxy;
    private final Kubeconfig direct;

    SimCluster(KubeSim.Builder builder) {
        try {
            sim = builder.start();
            Path file = Files.createTempFile("sim", "kubeconfig");
            direct = Kubeconfig.read(Files.writeString(file, sim.kubeconfig()));
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        kube = new KubeHttp(sim.baseUrl(), sim.token());
        proxy = FaultProxy.before(direct.upstream(direct.currentContext())).start();
    }

    /** A kubeconfig that leads through the proxy. */
    String kubeconfig() {
        return direct.through(
                Map.of(direct.currentContext(), new Kubeconfig.Entrance(proxy.url(), proxy.certificatePem())));
    }

    /** Makes a ConfigMap. */
    void create(String name) {
        kube.create(CONFIG_MAPS, "{\"metadata\":{\"name\":\"" + name + "\"},\"data\":{\"key\":\"value\"}}");
    }

    /** Gives a ConfigMap other data. */
    void change(String name) {
        kube.merge(CONFIG_MAPS + "/" + name, "{\"data\":{\"key\":\"changed-" + sim.resourceVersion() + "\"}}");
    }

    /** Deletes a ConfigMap. */
    void delete(String name) {
        kube.delete(CONFIG_MAPS + "/" + name);
    }

    @Override
    public void close() {
        proxy.close();
        kube.close();
        sim.close();
    }
}
