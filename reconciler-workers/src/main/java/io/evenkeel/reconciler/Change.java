package io.evenkeel.reconciler;

import io.evenkeel.api.record.ChangeType;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A change that a {@link Filter} looks at.
 *
 * @param <T> Java class of the object
 */
public final class Change<T extends HasMetadata> {
    private final ChangeType type;
    private final Set<String> sections;
    private final Supplier<T> object;

    /**
     * @param type what happened
     * @param sections see {@link #sections()}
     * @param object decodes the object
     */
    public Change(ChangeType type, Set<String> sections, Supplier<T> object) {
        this.type = type;
        this.sections = Set.copyOf(sections);
        this.object = object;
    }

    /** What happened: the object appeared, or changed. Deletions are never filtered. */
    public ChangeType type() {
        return type;
    }

    /** What differs from the state before, such as {@code spec}, {@code status} or {@code metadata.labels}. */
    public Set<String> sections() {
        return sections;
    }

    /** The object as it is now; decoded when it is asked for. */
    public T object() {
        return object.get();
    }

    /** Its labels; empty if there are none. */
    public Map<String, String> labels() {
        return Optional.ofNullable(object().getMetadata().getLabels()).orElse(Map.of());
    }
}
