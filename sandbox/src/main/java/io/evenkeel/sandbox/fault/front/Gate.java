package io.evenkeel.sandbox.fault.front;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Lets bytes through on all connections, or on none. Thread-safe. */
final class Gate {
    private final Set<GatedEndPoint> connections = ConcurrentHashMap.newKeySet();
    private volatile boolean open = true;

    boolean isOpen() {
        return open;
    }

    void add(GatedEndPoint connection) {
        connections.add(connection);
    }

    void remove(GatedEndPoint connection) {
        connections.remove(connection);
    }

    void shut() {
        open = false;
    }

    /** Bytes that waited go through. */
    void reopen() {
        open = true;
        connections.forEach(GatedEndPoint::resume);
    }

    /** Breaks every connection. */
    void cutAll() {
        connections.forEach(GatedEndPoint::close);
    }

    int connections() {
        return connections.size();
    }
}
