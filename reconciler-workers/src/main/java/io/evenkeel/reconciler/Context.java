package io.evenkeel.reconciler;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a handler sees beside its primary, and how it writes. Local reads never wait for the network and show what this
 * controller wrote before. Belongs to one attempt and one thread.
 *
 * @param <T> Java class of the primary
 */
public interface Context<T extends HasMetadata> {
    /** The primary as it was given to the handler. */
    T primary();

    /**
     * Makes an object be as {@code desired}, by server-side apply with this controller as field manager. The primary
     * becomes its controlling owner; an empty namespace becomes the primary's. Nothing is sent where the local read
     * already shows the result of an equal apply.
     *
     * @return the object as the API server has it now
     * @throws io.fabric8.kubernetes.client.KubernetesClientException if the API server refuses
     * @throws WriteRefusedException if this worker no longer holds the primary
     */
    <R extends HasMetadata> R apply(R desired);

    /**
     * Deletes an object, if it exists with the given uid (where the metadata has one).
     *
     * @return whether there was something to delete
     * @throws io.fabric8.kubernetes.client.KubernetesClientException if the API server refuses
     * @throws WriteRefusedException if this worker no longer holds the primary
     */
    boolean delete(HasMetadata object);

    /** The primary's objects of an owned kind, by name; a local read. */
    <R extends HasMetadata> List<R> secondaries(Class<R> type);

    /**
     * The primary's only object of an owned kind; a local read.
     *
     * @throws IllegalStateException if there are several: ask for one by name
     */
    <R extends HasMetadata> Optional<R> secondary(Class<R> type);

    /** The primary's object of an owned kind and a name; a local read. */
    <R extends HasMetadata> Optional<R> secondary(Class<R> type, String name);

    /** Reads any object from the API server; empty if there is none. An empty namespace means a cluster-scoped kind. */
    <R extends HasMetadata> Optional<R> read(Class<R> type, String namespace, String name);

    /** Id of the primary's cluster. */
    String cluster();

    /** 1 for the first try since the last success or change of spec. */
    int attempt();

    /** The worker's clock. */
    Instant now();
}
