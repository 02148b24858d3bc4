package io.evenkeel.reconciler;

import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * Drives one object towards its spec. It is called with the newest known state whenever something that concerns the
 * object changed, never for one object at two places at once. It must tolerate being called again with the same state:
 * after a crash the last call is repeated.
 *
 * @param <T> Java class of the primary
 */
@FunctionalInterface
public interface Reconciler<T extends HasMetadata> {
    /**
     * Compares and acts once. Runs on a virtual thread and may block; when the worker has to give the object away, the
     * thread is interrupted.
     *
     * @param primary newest state, the handler's own copy
     * @param context what belongs to the primary, and the way to write
     * @return what was decided
     * @throws Exception any failure: the object is tried again with backoff
     */
    Outcome reconcile(T primary, Context<T> context) throws Exception;
}
