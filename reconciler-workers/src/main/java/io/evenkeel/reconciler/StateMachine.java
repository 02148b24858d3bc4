package io.evenkeel.reconciler;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;

/**
 * States, and under which condition one follows another. From a state the first edge whose guard holds is taken, in the order
 * in which they were named. Immutable.
 *
 * @param <T> Java class of the primary
 * @param <S> its states
 */
public final class StateMachine<T extends HasMetadata, S extends Enum<S>> {
    private static final Duration SOON = Duration.ofSeconds(5);

    private final S initial;
    private final Set<S> settled;
    private final Optional<S> error;
    private final Duration errorRequeue;
    private final List<Edge<T, S>> edges;

    /**
     * One edge.
     *
     * @param from where it begins
     * @param to where it leads
     * @param guard whether it is taken; must be pure
     */
    private record Edge<T extends HasMetadata, S>(S from, S to, BiPredicate<T, Context<T>> guard) {}

    private StateMachine(Table<T, S> table) {
        initial = table.initial;
        settled = Set.copyOf(table.settled);
        error = table.error;
        errorRequeue = table.errorRequeue;
        edges = List.copyOf(table.edges);
        requireReachable();
    }

    /** Begins a table with the state of an object that has none yet. */
    public static <T extends HasMetadata, S extends Enum<S>> Table<T, S> startingAt(S initial) {
        return new Table<>(initial);
    }

    /** The state of an object that has none yet. */
    public S initial() {
        return initial;
    }

    /** Where errors lead; empty if they are retried like any other error. */
    public Optional<S> error() {
        return error;
    }

    /** How long an object stays in the error state before it is looked at again. */
    public Duration errorRequeue() {
        return errorRequeue;
    }

    /** Whether nothing is left to do in a state. */
    public boolean isSettled(S state) {
        return settled.contains(state);
    }

    /** How many states there are that anything leads to. */
    int size() {
        return states().size();
    }

    /** The state that follows; empty if the object stays where it is. */
    Optional<S> next(S state, T primary, Context<T> context) {
        return edges.stream()
                .filter(edge -> edge.from() == state && edge.guard().test(primary, context))
                .map(Edge::to)
                .findFirst();
    }

    private Set<S> states() {
        Set<S> states = EnumSet.of(initial);
        edges.forEach(edge -> {
            states.add(edge.from());
            states.add(edge.to());
        });
        states.addAll(settled);
        error.ifPresent(states::add);
        return states;
    }

    private void requireReachable() {
        Set<S> reached = EnumSet.of(initial);
        error.ifPresent(reached::add);
        var open = new ArrayDeque<>(reached);
        while (!open.isEmpty()) {
            S state = open.remove();
            edges.stream()
                    .filter(edge -> edge.from() == state)
                    .map(Edge::to)
                    .filter(reached::add)
                    .forEach(open::add);
        }
        Set<S> lost = EnumSet.copyOf(states());
        lost.removeAll(reached);
        if (!lost.isEmpty()) {
            throw new IllegalArgumentException("nothing leads to " + lost + " from " + initial + ": add an edge");
        }
        if (error.isPresent() && edges.stream().noneMatch(edge -> edge.from() == error.get())) {
            throw new IllegalArgumentException("nothing leads out of " + error.get() + ": add an edge");
        }
    }

    /** A table that is being written; {@link #build} ends it. */
    public static final class Table<T extends HasMetadata, S extends Enum<S>> {
        private final S initial;
        private final List<Edge<T, S>> edges = new ArrayList<>();
        private final List<S> settled = new ArrayList<>();
        private Optional<S> error = Optional.empty();
        private Duration errorRequeue = SOON;

        private Table(S initial) {
            this.initial = initial;
        }

        /** From one state to another when the guard holds. */
        public Table<T, S> edge(S from, S to, BiPredicate<T, Context<T>> guard) {
            if (from == to) {
                throw new IllegalArgumentException("an edge from " + from + " to itself would never come to rest");
            }
            edges.add(new Edge<>(from, to, guard));
            return this;
        }

        /** States in which nothing is left to do; in others the object waits for a change. */
        @SafeVarargs
        public final Table<T, S> settledIn(S... states) {
            for (S state : states) {
                settled.add(state);
            }
            return this;
        }

        /** Where an object goes whose guard or transition throws, from anywhere, and how long it stays there. */
        public Table<T, S> errorsTo(S state, Duration requeue) {
            error = Optional.of(state);
            errorRequeue = requeue;
            return this;
        }

        /** @throws IllegalArgumentException if a state cannot be reached, or nothing leads out of the error state */
        public StateMachine<T, S> build() {
            return new StateMachine<>(this);
        }
    }
}
