package io.evenkeel.reconciler;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Secondaries that are made one after another: each when those that it depends on are ready, and removed, in reverse order,
 * when it is no longer wanted. Immutable.
 *
 * @param <T> Java class of the primary
 */
public final class ResourcePlan<T extends HasMetadata> {
    private final List<Part<T, ?>> order;

    private ResourcePlan(List<Part<T, ?>> order) {
        this.order = List.copyOf(order);
    }

    /** Begins a plan. */
    public static <T extends HasMetadata> Draft<T> draft() {
        return new Draft<>();
    }

    /**
     * One secondary.
     *
     * @param name for people and for {@code dependsOn}
     * @param type Java class; the controller must own the kind
     * @param desired what it shall be
     * @param dependsOn names of others that must be ready before
     * @param wanted whether it shall be there at all
     * @param ready whether it is as far as others need it
     */
    public record Part<T extends HasMetadata, S extends HasMetadata>(
            String name,
            Class<S> type,
            Function<T, S> desired,
            Set<String> dependsOn,
            BiPredicate<T, Context<T>> wanted,
            Predicate<S> ready) {
        /** Takes a copy of the set. */
        public Part {
            dependsOn = Set.copyOf(dependsOn);
        }
    }

    /** How far a part is. */
    public enum Stage {
        /** It is there, and ready. */
        READY,
        /** It is there, and not ready yet. */
        APPLIED,
        /** It waits for others. */
        BLOCKED,
        /** It is not wanted, and not there. */
        ABSENT,
        /** It is not wanted, and being removed. */
        REMOVING
    }

    /**
     * What came of a run.
     *
     * @param stages by the names of the parts, in the order in which they are made
     */
    public record Progress(Map<String, Stage> stages) {
        /** Takes a copy of the map, in its order. */
        public Progress {
            stages = Collections.unmodifiableMap(new LinkedHashMap<>(stages));
        }

        /** Whether all that is wanted is ready, and all else is gone. */
        public boolean isComplete() {
            return stages.values().stream().allMatch(stage -> stage == Stage.READY || stage == Stage.ABSENT);
        }

        /**
         * The conditions with one of type {@code Ready} that tells what is missing.
         *
         * @param existing conditions so far; null where the status has none yet
         * @param context of the attempt
         */
        public List<Condition> conditions(@Nullable List<Condition> existing, Context<?> context) {
            String missing = stages.entrySet().stream()
                    .filter(stage -> stage.getValue() != Stage.READY && stage.getValue() != Stage.ABSENT)
                    .map(stage ->
                            stage.getKey() + " is " + stage.getValue().name().toLowerCase(Locale.ROOT))
                    .collect(Collectors.joining(", "));
            return Conditions.with(
                    existing,
                    "Ready",
                    isComplete(),
                    isComplete() ? "AllResourcesReady" : "ResourcesNotReady",
                    missing,
                    context.now());
        }
    }

    /** Makes and removes what can be made and removed now; called in each run. */
    public Progress carryOut(T primary, Context<T> context) {
        Map<String, Stage> stages = new LinkedHashMap<>();
        order.forEach(part -> stages.put(part.name(), Stage.BLOCKED));
        for (Part<T, ?> part : order) {
            if (part.wanted().test(primary, context)) {
                boolean blocked = part.dependsOn().stream().anyMatch(name -> stages.get(name) != Stage.READY);
                if (!blocked) {
                    stages.put(part.name(), make(part, primary, context));
                }
            }
        }
        for (Part<T, ?> part : order.reversed()) {
            if (!part.wanted().test(primary, context)) {
                stages.put(part.name(), remove(part, stages, primary, context));
            }
        }
        return new Progress(stages);
    }

    private <S extends HasMetadata> Stage make(Part<T, S> part, T primary, Context<T> context) {
        S applied = context.apply(part.desired().apply(primary));
        return part.ready().test(applied) ? Stage.READY : Stage.APPLIED;
    }

    /** What depends on it goes first. */
    private <S extends HasMetadata> Stage remove(
            Part<T, S> part, Map<String, Stage> stages, T primary, Context<T> context) {
        Optional<S> present = context.secondary(
                part.type(), part.desired().apply(primary).getMetadata().getName());
        if (present.isEmpty()) {
            return Stage.ABSENT;
        }
        boolean needed = order.stream()
                .filter(other -> dependsOn(other, part.name()))
                .anyMatch(other -> stages.get(other.name()) == Stage.REMOVING);
        if (!needed) {
            context.delete(present.get());
        }
        return Stage.REMOVING;
    }

    /** Whether it needs the other, or something that does: what stands between them may be gone already. */
    private boolean dependsOn(Part<T, ?> part, String name) {
        return part.dependsOn().contains(name)
                || order.stream()
                        .filter(between -> part.dependsOn().contains(between.name()))
                        .anyMatch(between -> dependsOn(between, name));
    }

    /** A plan that is being written; {@link #build} ends it. */
    public static final class Draft<T extends HasMetadata> {
        private final Map<String, Part<T, ?>> parts = new LinkedHashMap<>();

        private Draft() {}

        /** A secondary that is always wanted and depends on nothing; ready as soon as it is there. */
        public <S extends HasMetadata> Draft<T> part(String name, Class<S> type, Function<T, S> desired) {
            return part(new Part<>(name, type, desired, Set.of(), (primary, context) -> true, applied -> true));
        }

        /** A secondary in full. */
        public <S extends HasMetadata> Draft<T> part(Part<T, S> part) {
            if (parts.putIfAbsent(part.name(), part) != null) {
                throw new IllegalArgumentException("two parts of the plan are named " + part.name());
            }
            return this;
        }

        /**
         * The plan, sorted so that each part comes after those that it depends on, otherwise as they were named.
         *
         * @throws IllegalArgumentException if a name is unknown, or parts depend on each other in a circle; names the circle
         */
        public ResourcePlan<T> build() {
            List<Part<T, ?>> order = new ArrayList<>();
            Set<String> placed = new LinkedHashSet<>();
            parts.values().forEach(part -> place(part, new LinkedHashSet<>(), placed, order));
            return new ResourcePlan<>(order);
        }

        private void place(Part<T, ?> part, Set<String> path, Set<String> placed, List<Part<T, ?>> order) {
            if (placed.contains(part.name())) {
                return;
            }
            if (!path.add(part.name())) {
                List<String> circle = new ArrayList<>(path);
                circle = new ArrayList<>(circle.subList(circle.indexOf(part.name()), circle.size()));
                circle.add(part.name());
                throw new IllegalArgumentException(
                        "parts of the plan depend on each other: " + String.join(" -> ", circle));
            }
            part.dependsOn().stream().sorted().forEach(name -> {
                Part<T, ?> needed = Optional.<Part<T, ?>>ofNullable(parts.get(name))
                        .orElseThrow(() -> new IllegalArgumentException(
                                "part " + part.name() + " depends on " + name + ", which is not in the plan"));
                place(needed, path, placed, order);
            });
            path.remove(part.name());
            placed.add(part.name());
            order.add(part);
        }
    }
}
