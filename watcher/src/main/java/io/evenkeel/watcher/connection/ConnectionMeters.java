package io.evenkeel.watcher.connection;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.Map;

/** Counts what is asked of one cluster, until it is closed: then its meters go, and what is still under way is not counted. */
final class ConnectionMeters implements AutoCloseable {
    private final MeterRegistry registry;
    private final String cluster;
    private final Counter received;
    private final Counter reconnects;
    private final Map<Request, Counter> requests = new HashMap<>(); // guarded by this
    private boolean closed; // guarded by this

    ConnectionMeters(MeterRegistry registry, String cluster) {
        this.registry = registry;
        this.cluster = cluster;
        this.received = registry.counter("evenkeel.watcher.received.bytes", "cluster", cluster);
        this.reconnects = registry.counter("evenkeel.watcher.reconnects", "cluster", cluster);
    }

    private record Request(String verb, String code) {}

    /** Of bytes of answers. */
    Counter received() {
        return received;
    }

    void reconnect() {
        reconnects.increment();
    }

    synchronized void request(String verb, String code) {
        if (!closed) {
            requests.computeIfAbsent(new Request(verb, code), this::counter).increment();
        }
    }

    private Counter counter(Request request) {
        return registry.counter(
                "evenkeel.watcher.api.requests", "cluster", cluster, "verb", request.verb(), "code", request.code());
    }

    /** Only once: the cluster may have returned since, and count under the same names. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        registry.remove(received);
        registry.remove(reconnects);
        requests.values().forEach(registry::remove);
        requests.clear();
    }
}
