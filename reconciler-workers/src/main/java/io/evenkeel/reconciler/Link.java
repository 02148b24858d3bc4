package io.evenkeel.reconciler;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Collection;
import java.util.function.Function;

/**
 * How a secondary is known to concern a primary of the same cluster; it may concern many, and a primary many secondaries.
 * Functions must be pure and answer at once: they are called for each change, on the thread that folds. One that throws
 * leaves what was known.
 *
 * @param <T> Java class of the primary
 * @param <S> Java class of the secondary
 */
public sealed interface Link<T extends HasMetadata, S extends HasMetadata> {
    /** An owner reference of the secondary to the primary. */
    static <T extends HasMetadata, S extends HasMetadata> Link<T, S> owner() {
        return new Owner<>();
    }

    /**
     * A label of the secondary that holds the name of a primary in its namespace, or of a cluster-scoped one.
     *
     * @param key of the label
     */
    static <T extends HasMetadata, S extends HasMetadata> Link<T, S> label(String key) {
        return new Label<>(key);
    }

    /**
     * An annotation of the secondary that names primaries: {@code name} or {@code namespace/name}, more than one separated by
     * commas.
     *
     * @param key of the annotation
     */
    static <T extends HasMetadata, S extends HasMetadata> Link<T, S> annotation(String key) {
        return new Annotation<>(key);
    }

    /** The secondary tells which primaries it concerns. */
    static <T extends HasMetadata, S extends HasMetadata> Link<T, S> from(
            Function<S, ? extends Collection<ObjectName>> primaries) {
        return new FromSecondary<>(primaries);
    }

    /** The primary tells which secondaries concern it, as where its spec names a ConfigMap. */
    static <T extends HasMetadata, S extends HasMetadata> Link<T, S> namedBy(
            Function<T, ? extends Collection<ObjectName>> secondaries) {
        return new NamedByPrimary<>(secondaries);
    }

    /** See {@link #owner()}. */
    record Owner<T extends HasMetadata, S extends HasMetadata>() implements Link<T, S> {}

    /**
     * See {@link #label}.
     *
     * @param key of the label
     */
    record Label<T extends HasMetadata, S extends HasMetadata>(String key) implements Link<T, S> {}

    /**
     * See {@link #annotation}.
     *
     * @param key of the annotation
     */
    record Annotation<T extends HasMetadata, S extends HasMetadata>(String key) implements Link<T, S> {}

    /**
     * See {@link #from}.
     *
     * @param primaries of a secondary
     */
    record FromSecondary<T extends HasMetadata, S extends HasMetadata>(
            Function<S, ? extends Collection<ObjectName>> primaries) implements Link<T, S> {}

    /**
     * See {@link #namedBy}.
     *
     * @param secondaries of a primary
     */
    record NamedByPrimary<T extends HasMetadata, S extends HasMetadata>(
            Function<T, ? extends Collection<ObjectName>> secondaries) implements Link<T, S> {}
}
