package io.evenkeel.sandbox.fault.rule;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All rules of a proxy and the seed of their luck. Equal books that see equal requests in equal order decide equally.
 *
 * @param seed of all that is left to chance
 * @param rules in the order in which they are asked
 */
public record RuleBook(long seed, List<Rule> rules) {
    /** Takes a copy and checks that no name is used twice. */
    public RuleBook {
        rules = List.copyOf(rules);
        Set<String> names = new HashSet<>();
        rules.forEach(rule -> {
            if (!names.add(rule.name())) {
                throw new IllegalArgumentException("two rules are named " + rule.name());
            }
        });
    }

    /**
     * What came of one request.
     *
     * @param tallies of all rules that were ever asked, after this request
     * @param plan what to do
     */
    public record Step(Map<String, Tally> tallies, Plan plan) {
        /** Takes a copy. */
        public Step {
            tallies = Map.copyOf(tallies);
        }
    }

    /**
     * Decides about the next request. Every rule that fits counts it, whether or not another one decides.
     *
     * @param tallies as the step before left them
     */
    public Step decide(Map<String, Tally> tallies, KubeRequest request) {
        Optional<Plan.Hit<Fault.Decisive>> decisive = Optional.empty();
        List<Plan.Hit<Fault.Delay>> delays = new ArrayList<>();
        List<Plan.Hit<Fault.OnFrames>> frames = new ArrayList<>();
        Map<String, Tally> next = new HashMap<>(tallies);
        List<Rule> fitting = rules.stream().filter(rule -> rule.fits(request)).toList();
        // the decisive ones first: where one of them hits, the others and those on frames have missed
        for (Rule rule : decisiveFirst(fitting)) {
            Tally before = tallies.getOrDefault(rule.name(), Tally.NONE);
            Chance chance = new Chance(seed).of(rule.name()).of(before.matched() + 1);
            boolean free = rule.fault() instanceof Fault.Delay || decisive.isEmpty();
            boolean hit = free && rule.trigger().hits(before.matched() + 1, before.hit(), chance);
            next.put(rule.name(), hit ? before.scored() : before.missed());
            if (hit) {
                switch (rule.fault()) {
                    case Fault.Delay delay -> delays.add(new Plan.Hit<>(rule.name(), delay, chance));
                    case Fault.OnFrames onFrames -> frames.add(new Plan.Hit<>(rule.name(), onFrames, chance));
                    case Fault.Decisive fault -> decisive = Optional.of(new Plan.Hit<>(rule.name(), fault, chance));
                }
            }
        }
        return new Step(next, new Plan(delays, decisive, frames));
    }

    private static List<Rule> decisiveFirst(List<Rule> rules) {
        List<Rule> sorted = new ArrayList<>();
        rules.stream().filter(rule -> rule.fault() instanceof Fault.Decisive).forEach(sorted::add);
        rules.stream().filter(rule -> !(rule.fault() instanceof Fault.Decisive)).forEach(sorted::add);
        return sorted;
    }

    /** True if the past of what this request reads may be asked for. */
    public boolean wantsHistory(KubeRequest request) {
        return rules.stream().anyMatch(rule -> rule.fault() instanceof Fault.StaleView && rule.fits(request));
    }

    /** This book with one more rule at its end. */
    public RuleBook plus(Rule rule) {
        List<Rule> more = new ArrayList<>(rules);
        more.add(rule);
        return new RuleBook(seed, more);
    }

    /** This book without the rule of that name. */
    public RuleBook minus(String name) {
        return new RuleBook(
                seed, rules.stream().filter(rule -> !rule.name().equals(name)).toList());
    }
}
