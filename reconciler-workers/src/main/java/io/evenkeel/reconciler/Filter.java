package io.evenkeel.reconciler;

import io.evenkeel.api.record.ChangeType;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Which changes of an object wake a handler. One that does not pass is still seen by the next run. What is being deleted
 * always passes, and so does a change for which the filter throws. Must be pure and answer at once.
 *
 * @param <T> Java class of the object
 */
@FunctionalInterface
public interface Filter<T extends HasMetadata> {
    /** Whether the change wakes the handler. */
    boolean passes(Change<T> change);

    /** Every change. */
    static <T extends HasMetadata> Filter<T> all() {
        return change -> true;
    }

    /** New objects, and changes of anything but the status and the metadata. */
    static <T extends HasMetadata> Filter<T> specChanges() {
        return change -> change.type() == ChangeType.ADDED
                || change.sections().stream()
                        .anyMatch(section -> !section.equals("status") && !section.startsWith("metadata"));
    }

    /** Objects that have these labels now. */
    static <T extends HasMetadata> Filter<T> labelsMatch(Map<String, String> labels) {
        Map<String, String> wanted = Map.copyOf(labels);
        return change -> change.labels().entrySet().containsAll(wanted.entrySet());
    }

    /** Objects that are like this now. */
    static <T extends HasMetadata> Filter<T> matching(Predicate<T> predicate) {
        return change -> predicate.test(change.object());
    }

    /** What passes this and the other. */
    default Filter<T> and(Filter<T> other) {
        return change -> passes(change) && other.passes(change);
    }

    /** What passes this or the other. */
    default Filter<T> or(Filter<T> other) {
        return change -> passes(change) || other.passes(change);
    }
}
