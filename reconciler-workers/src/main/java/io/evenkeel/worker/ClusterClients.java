package io.evenkeel.worker;

import io.evenkeel.runtime.cluster.ClusterSettings;
import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.process.StartupException;
import io.evenkeel.worker.attempt.KubernetesApi;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.nio.file.Path;
import java.util.Map;

/** The API servers that a worker writes to, by cluster id: one client each. Thread-safe. */
final class ClusterClients implements AutoCloseable {
    private final Map<String, KubernetesClient> clients;
    private final Map<String, KubernetesApi> apis;

    private ClusterClients(String cluster, KubernetesClient client) {
        this.clients = Map.of(cluster, client);
        this.apis = Map.of(cluster, new KubernetesApi(client));
    }

    /** @throws StartupException if the kubeconfig cannot be used */
    static ClusterClients of(ClusterSettings cluster) {
        // The engine retries with backoff and counts; hidden retries inside the client would only hold up the key.
        Config config = new ConfigBuilder(config(cluster))
                .withRequestRetryBackoffLimit(0)
                .build();
        KubernetesClient client = new KubernetesClientBuilder()
                .withConfig(config)
                .withHttpClientFactory(new JdkHttpClientFactory())
                .build();
        return new ClusterClients(cluster.name(), client);
    }

    KubernetesApi api(String cluster) {
        KubernetesApi api = apis.get(cluster);
        if (api == null) {
            throw new IllegalStateException(
                    "this worker has no access to cluster " + cluster + ", it knows " + apis.keySet());
        }
        return api;
    }

    @Override
    public void close() {
        clients.values().forEach(KubernetesClient::close);
    }

    private static Config config(ClusterSettings cluster) {
        if (cluster.kubeconfig().isEmpty()) {
            return Config.autoConfigure(cluster.context().orElse(null));
        }
        Path file = cluster.kubeconfig().get();
        try {
            return Config.fromKubeconfig(cluster.context().orElse(null), file.toFile());
        } catch (RuntimeException e) {
            throw new StartupException(
                    ExitCode.USAGE, "cluster.kubeconfig " + file + " cannot be used: " + e.getMessage(), e);
        }
    }
}
