package io.evenkeel.sandbox.fault.rule;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * When a request is like this, do that to it:
 * {@code Rule.named("lost").verbs(Verb.PATCH).resources("deployments.apps").nth(1).then(new Fault.LoseAnswer())}.
 *
 * @param name under which it is counted; unique in a proxy
 * @param match which requests it is about
 * @param trigger which of those it hits
 * @param fault what is done to them
 */
public record Rule(String name, Match match, Trigger trigger, Fault fault) {

    /** Checks that it can ever do something. */
    public Rule {
        if (name.isBlank()) {
            throw new IllegalArgumentException("a rule must have a name");
        }
        boolean watchOnly = fault instanceof Fault.OnFrames;
        if (watchOnly && !match.verbs().isEmpty() && !match.verbs().contains(Verb.WATCH)) {
            throw new IllegalArgumentException("rule " + name + " never does anything: its fault is one of watches");
        }
    }

    /** True if the request is one that this rule counts. */
    public boolean fits(KubeRequest request) {
        return fault.concerns(request) && match.fits(request);
    }

    /** Begins a rule that, unless narrowed, hits every request. */
    public static Draft named(String name) {
        return new Draft(name, Match.any(), Trigger.always());
    }

    /**
     * A rule that does not yet say what it does. Immutable: each method returns another draft.
     *
     * @param name under which it will be counted
     * @param match which requests it is about
     * @param trigger which of those it hits
     */
    public record Draft(String name, Match match, Trigger trigger) {
        /** Only these verbs. */
        public Draft verbs(Verb... verbs) {
            return with(new Match(
                    Set.of(verbs),
                    match.resources(),
                    match.namespaces(),
                    match.names(),
                    match.clusters(),
                    match.path()));
        }

        /** Only these resources, as {@link Match} reads them. */
        public Draft resources(String... resources) {
            return with(new Match(
                    match.verbs(), set(resources), match.namespaces(), match.names(), match.clusters(), match.path()));
        }

        /** Only in these namespaces. */
        public Draft namespaces(String... namespaces) {
            return with(new Match(
                    match.verbs(), match.resources(), set(namespaces), match.names(), match.clusters(), match.path()));
        }

        /** Only objects of these names. */
        public Draft names(String... names) {
            return with(new Match(
                    match.verbs(), match.resources(), match.namespaces(), set(names), match.clusters(), match.path()));
        }

        /** Only in these clusters. */
        public Draft clusters(String... clusters) {
            return with(new Match(
                    match.verbs(), match.resources(), match.namespaces(), match.names(), set(clusters), match.path()));
        }

        /** Only this path, in which {@code *} stands for any text. */
        public Draft path(String glob) {
            return with(new Match(
                    match.verbs(),
                    match.resources(),
                    match.namespaces(),
                    match.names(),
                    match.clusters(),
                    Optional.of(glob)));
        }

        /** Only the n-th of them, from 1. */
        public Draft nth(long n) {
            return with(new Trigger(n, 1, 1, trigger.probability()));
        }

        /** Only from the n-th of them on, from 1. */
        public Draft from(long n) {
            return with(new Trigger(n, trigger.every(), trigger.times(), trigger.probability()));
        }

        /** Only every n-th of them. */
        public Draft every(long n) {
            return with(new Trigger(trigger.from(), n, trigger.times(), trigger.probability()));
        }

        /** Not more often than this. */
        public Draft times(long most) {
            return with(new Trigger(trigger.from(), trigger.every(), most, trigger.probability()));
        }

        /** Only with this probability, above 0 and up to 1. */
        public Draft probability(double probability) {
            return with(new Trigger(trigger.from(), trigger.every(), trigger.times(), probability));
        }

        /** Makes the rule. */
        public Rule then(Fault fault) {
            return new Rule(name, match, trigger, fault);
        }

        private Draft with(Match other) {
            return new Draft(name, other, trigger);
        }

        private Draft with(Trigger other) {
            return new Draft(name, match, other);
        }

        private static Set<String> set(String... texts) {
            return new HashSet<>(Arrays.asList(texts));
        }
    }
}
