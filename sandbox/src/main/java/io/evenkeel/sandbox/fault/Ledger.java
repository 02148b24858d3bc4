package io.evenkeel.sandbox.fault;

import io.evenkeel.sandbox.fault.rule.KubeRequest;
import io.evenkeel.sandbox.fault.rule.Plan;
import io.evenkeel.sandbox.fault.rule.Rule;
import io.evenkeel.sandbox.fault.rule.RuleBook;
import io.evenkeel.sandbox.fault.rule.Tally;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** Holds the rules and what came of them; requests pass it one after the other. Thread-safe. */
final class Ledger {
    private RuleBook book;
    private Map<String, Tally> tallies = Map.of();
    private final Map<String, Long> happened = new HashMap<>();

    Ledger(RuleBook book) {
        this.book = book;
    }

    synchronized Plan decide(KubeRequest request) {
        RuleBook.Step step = book.decide(tallies, request);
        tallies = step.tallies();
        return step.plan();
    }

    synchronized boolean wantsHistory(KubeRequest request) {
        return book.wantsHistory(request);
    }

    synchronized boolean holds(String rule) {
        return book.rules().stream().anyMatch(known -> known.name().equals(rule));
    }

    synchronized void add(Rule rule) {
        book = book.plus(rule);
    }

    synchronized void remove(String rule) {
        book = book.minus(rule);
    }

    synchronized void happened(String rule) {
        happened.merge(rule, 1L, Long::sum);
    }

    /** Of the rules there are, and of those there were. */
    synchronized Map<String, RuleCount> counts() {
        Map<String, RuleCount> counts = new LinkedHashMap<>();
        book.rules().forEach(rule -> counts.put(rule.name(), count(rule.name())));
        tallies.keySet().forEach(rule -> counts.putIfAbsent(rule, count(rule)));
        return counts;
    }

    private synchronized RuleCount count(String rule) {
        Tally tally = tallies.getOrDefault(rule, Tally.NONE);
        return new RuleCount(tally.matched(), tally.hit(), happened.getOrDefault(rule, 0L));
    }
}
