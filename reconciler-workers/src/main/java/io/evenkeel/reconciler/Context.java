package io.evenkeel.reconciler;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
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
     * As {@link #apply(HasMetadata)}, with another conflict policy than {@link ConflictPolicy#FORCE}.
     *
     * @throws io.fabric8.kubernetes.client.KubernetesClientException also, with code 409, on a conflict that is not forced
     */
    <R extends HasMetadata> R apply(R desired, ConflictPolicy policy);

    /**
     * Creates an object, with the primary as its controlling owner; an empty namespace becomes the primary's. For what must
     * not be there yet, or gets its name from the API server ({@code generateName}); otherwise {@link #apply} is simpler.
     *
     * @return the object as the API server has it now
     * @throws io.fabric8.kubernetes.client.KubernetesClientException with code 409 if it exists, or as for apply
     * @throws WriteRefusedException if this worker no longer holds the primary
     */
    <R extends HasMetadata> R create(R object);

    /**
     * Replaces an object, only if it is still at the resourceVersion that it carries. Fields that its Java class does not know
     * stay as they are. Nothing is sent where the local read
     * shows the same object at that version.
     *
     * @return the object as the API server has it now
     * @throws IllegalArgumentException if it carries no resourceVersion
     * @throws io.fabric8.kubernetes.client.KubernetesClientException with code 409 if it has changed: the attempt fails as a
     *     conflict and is made again with the newest state
     * @throws WriteRefusedException if this worker no longer holds the primary
     */
    <R extends HasMetadata> R update(R object);

    /**
     * Changes some fields of an object by a JSON merge patch (RFC 7396). Nothing is sent where the local read already shows
     * all that the patch says.
     *
     * @param object what to change; only its kind, namespace and name count
     * @param mergePatch such as {@code {"metadata":{"labels":{"tier":"web"}}}}
     * @return the object as the API server has it now
     * @throws IllegalArgumentException if the patch is no JSON object
     * @throws io.fabric8.kubernetes.client.KubernetesClientException if the API server refuses
     * @throws WriteRefusedException if this worker no longer holds the primary
     */
    <R extends HasMetadata> R patch(R object, String mergePatch);

    /**
     * Deletes an object only if it is still at the uid and resourceVersion that it carries.
     *
     * @return whether there was something to delete
     * @throws io.fabric8.kubernetes.client.KubernetesClientException with code 409 if it has changed
     * @throws WriteRefusedException if this worker no longer holds the primary
     */
    boolean deleteUnchanged(HasMetadata object);

    /**
     * Tells people about the primary by a Kubernetes Event ({@code events.k8s.io/v1}). The same reason and note again count up
     * the series of the Event that is there; so a repeated attempt makes no second one. That it could not be written is
     * logged and is no failure of the attempt.
     *
     * @param reason one CamelCase word, up to 128 characters
     * @param note for people; cut after 1,024 bytes
     * @throws WriteRefusedException if this worker no longer holds the primary
     */
    void event(EventType type, String reason, String note);

    /**
     * Deletes an object, if it exists with the given uid (where the metadata has one). An object that has finalizers, or a
     * grace period, is still shown by local reads, with its deletionTimestamp, until it is gone.
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

    /** As {@link #secondaries(Class)}, for a kind without a Java class. */
    List<GenericKubernetesResource> secondaries(ResourceType type);

    /** As {@link #read(Class, String, String)}, for a kind without a Java class. */
    Optional<GenericKubernetesResource> read(ResourceType type, String namespace, String name);

    /** Reads any object from the API server; empty if there is none. An empty namespace means a cluster-scoped kind. */
    <R extends HasMetadata> Optional<R> read(Class<R> type, String namespace, String name);

    /** Id of the primary's cluster. */
    String cluster();

    /** 1 for the first try since the last success or change of spec. */
    int attempt();

    /** The worker's clock. */
    Instant now();
}
