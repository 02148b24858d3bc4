package io.evenkeel.reconciler;

import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * A {@link Reconciler} that has to act before its primary may go. The engine adds the finalizer before the first
 * reconcile and removes it once {@link #cleanup} is done.
 *
 * @param <T> Java class of the primary
 */
public interface Cleanup<T extends HasMetadata> {
    /**
     * Called instead of reconcile as soon as the primary has a deletionTimestamp. Must tolerate repetition.
     *
     * @param primary newest state, the handler's own copy
     * @param context what belongs to the primary, and the way to write
     * @return {@link Outcome#done()} lets the primary go; anything else keeps it
     * @throws Exception any failure: it is tried again with backoff
     */
    Outcome cleanup(T primary, Context<T> context) throws Exception;
}
