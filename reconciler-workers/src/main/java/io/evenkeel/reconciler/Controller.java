package io.evenkeel.reconciler;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Optional;

/**
 * A named reconciler with what it watches and how it is run.
 *
 * @param name 1 to 63 lower case letters, digits, {@code -} or {@code .}; names its work on the topics, so it must stay
 * @param type Java class of the primary
 * @param primary kind of the primary
 * @param owned kinds whose objects wake their controlling owner, and are read locally
 * @param reconciler the handler
 * @param policy how and when it is run
 * @param finalizer name of the finalizer that the engine keeps where the reconciler has a {@link Cleanup}
 * @param <T> Java class of the primary
 */
public record Controller<T extends HasMetadata>(
        String name,
        Class<T> type,
        ResourceType primary,
        List<ResourceType> owned,
        Reconciler<T> reconciler,
        RunPolicy policy,
        String finalizer) {
    /** Takes a copy of the list. */
    public Controller {
        owned = List.copyOf(owned);
    }

    /** The handler of deletions, if the reconciler has one. */
    @SuppressWarnings("unchecked") // a class that implements both does so for one type: Java forbids two
    public Optional<Cleanup<T>> cleanup() {
        return reconciler instanceof Cleanup<?> cleanup ? Optional.of((Cleanup<T>) cleanup) : Optional.empty();
    }

    /** Field manager of its writes. */
    public String fieldManager() {
        return name;
    }
}
