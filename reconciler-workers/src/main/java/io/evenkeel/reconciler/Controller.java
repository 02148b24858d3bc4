package io.evenkeel.reconciler;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;

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
 * @param cleanups what to do before a primary may go, in order; each has a finalizer that the engine keeps
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
        List<NamedCleanup<T>> cleanups) {
    /** Takes copies of the lists. */
    public Controller {
        secondaries = List.copyOf(secondaries);
        cleanups = List.copyOf(cleanups);
        long names = cleanups.stream().map(NamedCleanup::finalizer).distinct().count();
        if (names < cleanups.size()) {
            throw new IllegalArgumentException("controller " + name + " names a finalizer twice: "
                    + cleanups.stream().map(NamedCleanup::finalizer).toList());
        }
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
