package io.evenkeel.api.record;

import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which objects of a resource a watch sees. What is seen through a selection that is not {@link #ALL} begins when an object
 * comes into it, not only when it is created, and ends when it leaves it, not only when it is deleted.
 *
 * @param labels label selector as kubectl takes it, such as {@code app=web,tier in (a,b)}; absent for all labels
 * @param namespace the only namespace; absent for all of them
 */
public record Selection(Optional<String> labels, Optional<String> namespace) {
    /** Everything. */
    public static final Selection ALL = new Selection(Optional.empty(), Optional.empty());

    /** Whether nothing is left out. */
    public boolean seesAll() {
        return labels.isEmpty() && namespace.isEmpty();
    }

    /**
     * Whether an object that is no longer seen must have been deleted, because it could not have left.
     *
     * @param objectNamespace where the object lay; empty for a cluster-scoped one
     */
    public boolean provesDeletion(String objectNamespace) {
        return labels.isEmpty()
                && namespace.filter(only -> !only.equals(objectNamespace)).isEmpty();
    }

    /** Present unless nothing is left out; as records carry it. */
    public Optional<Selection> marker() {
        return seesAll() ? Optional.empty() : Optional.of(this);
    }

    /** For people, as flags of kubectl; "everything" if nothing is left out. */
    @Override
    public String toString() {
        return seesAll()
                ? "everything"
                : Stream.concat(namespace.map(name -> "-n " + name).stream(), labels.map(text -> "-l " + text).stream())
                        .collect(Collectors.joining(" "));
    }
}
