package io.evenkeel.worker.task;

import io.evenkeel.api.ObjectKey;
import io.evenkeel.api.record.ObjectHeaders;
import io.evenkeel.reconciler.Change;
import io.evenkeel.reconciler.Controller;
import io.evenkeel.reconciler.Filter;
import io.evenkeel.reconciler.Link;
import io.evenkeel.reconciler.ObjectName;
import io.evenkeel.reconciler.ResourceType;
import io.evenkeel.reconciler.Secondary;
import io.evenkeel.worker.object.ObjectMetadata;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the links and filters of controllers, which are partly code of their authors and may throw. */
final class Links {
    private static final Logger log = LoggerFactory.getLogger(Links.class);

    private Links() {}

    /** Keys of the primaries that a secondary concerns by what it says itself; empty if its author's code threw. */
    static Optional<Set<ObjectKey>> primaries(
            Controller<?> controller, ObjectKey key, ObjectMetadata metadata, Decoded object) {
        return guarded(key, () -> {
            var primaries = new LinkedHashSet<ObjectKey>();
            for (Secondary<?, ?> secondary : controller.secondaries(key.group(), key.kind())) {
                primaries(secondary, controller.primary(), key, metadata, object).stream()
                        .map(name -> keyOf(key.cluster(), controller.primary(), name))
                        .forEach(primaries::add);
            }
            return primaries;
        });
    }

    /** Keys of the secondaries that a primary names; empty if its author's code threw. */
    static <T extends HasMetadata> Optional<Set<ObjectKey>> named(
            Controller<T> controller, ObjectKey key, Decoded object) {
        return guarded(key, () -> {
            var named = new LinkedHashSet<ObjectKey>();
            for (Secondary<T, ?> secondary : controller.secondaries()) {
                if (secondary.link() instanceof Link.NamedByPrimary<T, ?> link) {
                    link.secondaries().apply(object.as(controller.type())).stream()
                            .map(name -> keyOf(key.cluster(), secondary.resource(), name))
                            .forEach(named::add);
                }
            }
            return named;
        });
    }

    /** Whether a change of a primary wakes its handler. */
    static <T extends HasMetadata> boolean wakes(
            Controller<T> controller, ObjectKey key, ObjectHeaders headers, boolean deleting, Decoded object) {
        return deleting || passes(controller.filter(), controller.type(), key, headers, object);
    }

    /** Whether a change of a secondary wakes primaries: of each way in which it concerns them, one is enough. */
    static boolean wakes(Controller<?> controller, ObjectKey key, ObjectHeaders headers, Decoded object) {
        return controller.secondaries(key.group(), key.kind()).stream()
                .anyMatch(secondary -> passes(secondary, key, headers, object));
    }

    private static <S extends HasMetadata> boolean passes(
            Secondary<?, S> secondary, ObjectKey key, ObjectHeaders headers, Decoded object) {
        return passes(secondary.filter(), secondary.type(), key, headers, object);
    }

    private static <T extends HasMetadata> boolean passes(
            Filter<T> filter, Class<T> type, ObjectKey key, ObjectHeaders headers, Decoded object) {
        var change = new Change<>(headers.type(), Set.copyOf(headers.changed()), () -> object.as(type));
        return guarded(key, () -> filter.passes(change)).orElse(true);
    }

    private static <S extends HasMetadata> Collection<ObjectName> primaries(
            Secondary<?, S> secondary, ResourceType primary, ObjectKey key, ObjectMetadata metadata, Decoded object) {
        return switch (secondary.link()) {
            case Link.Owner<?, S> owner ->
                metadata.owners().stream()
                        .filter(reference -> reference.kind().equals(primary.kind())
                                && primary.servesApiVersion(reference.apiVersion()))
                        .map(reference -> new ObjectName(key.namespace(), reference.name()))
                        .toList();
            case Link.Label<?, S>(String label) ->
                Stream.of(object.metadata("labels", label))
                        .filter(name -> !name.isEmpty())
                        .map(name -> new ObjectName(key.namespace(), name))
                        .toList();
            case Link.Annotation<?, S>(String annotation) -> names(key, object.metadata("annotations", annotation));
            case Link.FromSecondary<?, S> from -> List.copyOf(from.primaries().apply(object.as(secondary.type())));
            case Link.NamedByPrimary<?, S> named -> List.of();
        };
    }

    private static List<ObjectName> names(ObjectKey key, String text) {
        var names = new ArrayList<ObjectName>();
        for (String each : text.split(",", -1)) {
            String name = each.strip();
            int slash = name.indexOf('/');
            if (!name.isEmpty() && slash < name.length() - 1) {
                names.add(
                        slash < 0
                                ? new ObjectName(key.namespace(), name)
                                : new ObjectName(name.substring(0, slash), name.substring(slash + 1)));
            }
        }
        return names;
    }

    private static ObjectKey keyOf(String cluster, ResourceType type, ObjectName name) {
        return new ObjectKey(
                cluster, type.group(), type.kind(), type.namespaced() ? name.namespace() : "", name.name());
    }

    /** What an author's code throws is that code's fault and must not stop a partition. */
    @SuppressWarnings("IllegalCatch")
    private static <R> Optional<R> guarded(ObjectKey key, Asking<R> asking) {
        try {
            return Optional.of(asking.ask());
        } catch (RuntimeException e) {
            log.atError()
                    .addKeyValue("object", key)
                    .setCause(e)
                    .log("a link or filter of a controller failed; what was known is kept");
            return Optional.empty();
        }
    }

    /** A question to an author's code. */
    private interface Asking<R> {
        R ask();
    }
}
