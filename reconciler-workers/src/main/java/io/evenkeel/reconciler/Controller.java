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
 * @param filter which changes of a primary wake the handler
 * @param secondaries kinds whose objects concern primaries: they wake them, and are read locally
 * @param reconciler the handler
 * @param policy how and when it is run
 * @param finalizer name of the finalizer that the engine keeps where the reconciler has a {@link Cleanup}
 * @param <T> Java class of the primary
 */
public record Controller<T extends HasMetadata>(
        String name,
        Class<T> type,
        ResourceType primary,
        Filter<T> filter,
        List<Secondary<T, ?>> secondaries,
        Reconciler<T> reconciler,
        RunPolicy policy,
        String finalizer) {
    /** Takes a copy of the list. */
    public Controller {
        secondaries = List.copyOf(secondaries);
    }

    /** The handler of deletions, if the reconciler has one. */
    @SuppressWarnings("unchecked") // a class that implements both does so for one type: Java forbids two
    public Optional<Cleanup<T>> cleanup() {
        return reconciler instanceof Cleanup<?> cleanup ? Optional.of((Cleanup<T>) cleanup) : Optional.empty();
    }

    /** The secondaries of a kind; more than one if it concerns primaries in more than one way. */
    public List<Secondary<T, ?>> secondaries(String group, String kind) {
        return secondaries.stream()
                .filter(secondary -> secondary.is(group, kind))
                .toList();
    }

    /** Field manager of its writes. */
    public String fieldManager() {
        return name;
    }
}
