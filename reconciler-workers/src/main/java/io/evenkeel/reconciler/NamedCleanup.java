package io.evenkeel.reconciler;

import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * Something to do before a primary may go, and the finalizer that keeps it until then.
 *
 * @param finalizer such as {@code example.com/backup}
 * @param cleanup what to do; must tolerate repetition
 * @param <T> Java class of the primary
 */
public record NamedCleanup<T extends HasMetadata>(String finalizer, Cleanup<T> cleanup) {
    /** @throws IllegalArgumentException if the API server would not take the finalizer */
    public NamedCleanup {
        if (!finalizer.matches("[a-z0-9]([-a-z0-9.]*[a-z0-9])?/[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?")) {
            throw new IllegalArgumentException(
                    "a finalizer has a domain and a name, such as example.com/backup, but this" + " is '" + finalizer
                            + "'");
        }
    }
}
