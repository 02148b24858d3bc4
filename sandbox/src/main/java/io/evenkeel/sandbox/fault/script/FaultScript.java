package io.evenkeel.sandbox.fault.script;

import io.evenkeel.sandbox.fault.rule.Match;
import io.evenkeel.sandbox.fault.rule.Rule;
import io.evenkeel.sandbox.fault.rule.RuleBook;
import io.evenkeel.sandbox.fault.rule.Trigger;
import io.evenkeel.sandbox.fault.rule.Verb;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads rules from YAML.
 *
 * <pre>{@code
 * seed: 42
 * rules:
 * - name: expired
 *   when: {verb: watch, resource: services}      # also namespace, object, cluster, path; one or a list
 *   hit: {nth: 1}                                # or from, every, times, probability; left out: each
 *   fault: {end-watch: {after-frames: 3, by: expired}}
 * }</pre>
 */
public final class FaultScript {
    private final Problems problems = new Problems();

    private FaultScript() {}

    /**
     * Reads a script.
     *
     * @param name what messages call it
     * @param yaml its text
     * @throws ScriptException with all that is wrong, each with its line and what is allowed
     */
    public static RuleBook read(String name, String yaml) {
        FaultScript script = new FaultScript();
        RuleBook book = script.book(yaml);
        if (!script.problems.none()) {
            throw new ScriptException(script.problems.lines(name));
        }
        return book;
    }

    private RuleBook book(String yaml) {
        Optional<YamlNode> root = YamlTree.parse(yaml, problems);
        if (root.isEmpty()) {
            if (problems.none()) {
                problems.add(1, "the script is empty; it must have rules, and may have seed");
            }
            return new RuleBook(0, List.of());
        }
        try (FieldReader fields = FieldReader.of("the script", root.get(), problems)) {
            long seed = fields.whole("seed", 0, Long.MAX_VALUE).orElse(0L);
            Optional<YamlNode> rules = fields.node("rules");
            if (rules.isEmpty()) {
                fields.missing("rules", "a list of rules");
            }
            return new RuleBook(seed, rules.map(this::rules).orElse(List.of()));
        }
    }

    private List<Rule> rules(YamlNode node) {
        if (!(node instanceof YamlNode.Items items)) {
            problems.add(node.line(), "rules must be a list of rules");
            return List.of();
        }
        List<Rule> rules = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (int i = 0; i < items.items().size(); i++) {
            YamlNode item = items.items().get(i);
            rule("rules[" + i + "]", item).ifPresent(rule -> {
                if (names.add(rule.name())) {
                    rules.add(rule);
                } else {
                    problems.add(item.line(), "another rule is named " + rule.name() + "; names must differ");
                }
            });
        }
        return rules;
    }

    private Optional<Rule> rule(String place, YamlNode node) {
        try (FieldReader fields = FieldReader.of(place, node, problems)) {
            Optional<String> name = fields.text("name");
            Match match = fields.node("when")
                    .map(when -> match(place + ".when", when))
                    .orElse(Match.any());
            Trigger trigger = fields.node("hit")
                    .map(hit -> TriggerReader.read(place + ".hit", hit, problems))
                    .orElse(Trigger.always());
            Optional<YamlNode> fault = fields.node("fault");
            if (name.isEmpty() && !fields.keys().contains("name")) {
                fields.missing("name", "a text under which the rule is counted");
            }
            if (fault.isEmpty()) {
                fields.missing("fault", "one of " + FaultReader.names());
            }
            return fault.flatMap(found -> FaultReader.read(place + ".fault", found, problems))
                    .flatMap(read -> {
                        try {
                            return name.map(text -> new Rule(text, match, trigger, read));
                        } catch (IllegalArgumentException e) {
                            fields.problem("makes no sense: " + e.getMessage());
                            return Optional.empty();
                        }
                    });
        }
    }

    private Match match(String place, YamlNode node) {
        try (FieldReader fields = FieldReader.of(place, node, problems)) {
            return new Match(
                    new HashSet<>(fields.choices("verb", Verb.class)),
                    new HashSet<>(fields.texts("resource")),
                    new HashSet<>(fields.texts("namespace")),
                    new HashSet<>(fields.texts("object")),
                    new HashSet<>(fields.texts("cluster")),
                    fields.text("path"));
        }
    }
}
