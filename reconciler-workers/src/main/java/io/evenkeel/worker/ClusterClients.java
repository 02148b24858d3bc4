package io.evenkeel.worker;

import io.evenkeel.runtime.cluster.ClusterDefinition;
import io.evenkeel.runtime.cluster.ClusterSource;
import io.evenkeel.worker.attempt.ClusterApis;
import io.evenkeel.worker.attempt.ClusterClosedException;
import io.evenkeel.worker.attempt.KubernetesApi;
import io.evenkeel.worker.attempt.RequestPace;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The API servers that a worker writes to, by cluster id: one client each, made when it is first needed and closed when its
 * cluster goes or changes. Thread-safe.
 */
final class ClusterClients implements ClusterApis, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ClusterClients.class);

    private final ClusterSource source;
    private final Supplier<RequestPace> pace;
    private final Map<String, ClusterClient> clients = new ConcurrentHashMap<>();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final Set<String> missing = ConcurrentHashMap.newKeySet();

    /**
     * @param source closed with this
     * @param pace makes the pace of requests to one cluster
     * @throws io.evenkeel.runtime.process.StartupException if the one cluster of a fixed source cannot be used
     */
    ClusterClients(ClusterSource source, Supplier<RequestPace> pace) {
        this.source = source;
        this.pace = pace;
        source.follow(this::are);
        if (source.isFixed()) {
            clients.values().forEach(ClusterClient::prove); // nobody will mend it while this runs
        }
    }

    /** Has the listener called, on any thread, when work on a cluster has become possible. */
    void onChange(Runnable listener) {
        listeners.add(listener);
    }

    @Override
    public KubernetesApi of(String cluster) throws InterruptedException {
        ClusterClient client = clients.get(cluster);
        if (client == null) {
            throw new ClusterClosedException(unknown(cluster));
        }
        return client.api();
    }

    @Override
    public Optional<String> closedBecause(String cluster) {
        ClusterClient client = clients.get(cluster);
        return client == null ? Optional.of(unknown(cluster)) : client.closedBecause();
    }

    /** Whether work on a cluster makes sense now. */
    boolean isOpen(String cluster) {
        boolean known = clients.containsKey(cluster);
        if (!known && missing.add(cluster)) {
            log.atWarn()
                    .addKeyValue("cluster", cluster)
                    .log("objects of a cluster that this worker does not know wait for it to be configured");
        }
        return closedBecause(cluster).isEmpty();
    }

    private static String unknown(String cluster) {
        return "cluster " + cluster + " is not configured in this worker";
    }

    private synchronized void are(Map<String, ClusterDefinition> definitions) {
        List.copyOf(clients.entrySet()).stream()
                .filter(entry -> !entry.getValue().definition().equals(definitions.get(entry.getKey())))
                .forEach(entry -> {
                    clients.remove(entry.getKey());
                    entry.getValue().close();
                });
        definitions.forEach((name, definition) ->
                clients.computeIfAbsent(name, absent -> new ClusterClient(definition, pace.get(), this::opened)));
        missing.removeAll(definitions.keySet());
        opened();
    }

    private void opened() {
        listeners.forEach(Runnable::run);
    }

    @Override
    public void close() {
        source.close();
        clients.values().forEach(ClusterClient::close);
    }
}
