package io.evenkeel.cli.bench.soak;

import io.evenkeel.api.ObjectKey;
import java.util.List;
import java.util.Map;

/** The cluster of one seed, as those see it who change it and who know all that was changed. Thread-safe. */
interface SoakServer extends AutoCloseable {
    /** Id of the cluster on the log. */
    String cluster();

    /** A kubeconfig that leads straight to the server; its current context is the cluster. */
    String kubeconfig();

    /** Where the history's objects are. */
    String namespace();

    /**
     * Sends a request of one user.
     *
     * @param path without a leading slash
     * @param contentType of the body
     * @return the status of the answer
     */
    int send(String method, String path, String contentType, String json) throws InterruptedException;

    /** Deletes objects at once, under one resourceVersion if the server can. */
    void deleteTogether(SoakKind kind, List<String> names) throws InterruptedException;

    /** Forgets the history, if the server can do that on demand. */
    void compact();

    /** The definition of a kind is served from now on, and all that happens to its objects is known. */
    void defined(SoakKind kind) throws InterruptedException;

    /** All that happened to the history's objects, in order. */
    Map<ObjectKey, List<ServerStep>> history();

    @Override
    void close();
}
