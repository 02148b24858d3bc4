package io.evenkeel.sandbox.fault.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.evenkeel.sandbox.fault.rule.Darkness;
import io.evenkeel.sandbox.fault.rule.Fault;
import io.evenkeel.sandbox.fault.rule.Rule;
import io.evenkeel.sandbox.fault.rule.RuleBook;
import io.evenkeel.sandbox.fault.rule.Trigger;
import io.evenkeel.sandbox.fault.rule.Verb;
import io.evenkeel.sandbox.fault.rule.WatchEnd;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class FaultScriptTest {
    static Stream<Arguments> faults() {
        return Stream.of(
                arguments("garbage", new Fault.Garbage()),
                arguments("no-answer", new Fault.NoAnswer()),
                arguments("cut", new Fault.Cut()),
                arguments("{cut: }", new Fault.Cut()),
                arguments("lose-answer", new Fault.LoseAnswer()),
                arguments("{delay: {at-least: 150ms}}", Fault.delay(Duration.ofMillis(150))),
                arguments(
                        "{delay: {at-least: 2s, jitter: 1m}}",
                        new Fault.Delay(Duration.ofSeconds(2), Duration.ofMinutes(1))),
                arguments(
                        "{answer: {status: 429, retry-after: 7s}}",
                        Fault.answer(429).retryAfter(Duration.ofSeconds(7))),
                arguments(
                        "{answer: {status: 409, reason: AlreadyExists}}",
                        Fault.answer(409).because("AlreadyExists")),
                arguments("{truncate: {keep-bytes: 100}}", new Fault.Truncate(100, Fault.Truncate.Ending.CUT)),
                arguments(
                        "{truncate: {keep-bytes: 100, ending: clean}}",
                        new Fault.Truncate(100, Fault.Truncate.Ending.CLEAN)),
                arguments("{stale-view: {changes-behind: 3}}", new Fault.StaleView(3)),
                arguments("blackout", new Fault.Blackout(Darkness.SILENT, Optional.empty())),
                arguments(
                        "{blackout: {by: refused, lasting: 1h}}",
                        new Fault.Blackout(Darkness.REFUSED, Optional.of(Duration.ofHours(1)))),
                arguments("drop-frames", new Fault.DropFrames(Trigger.always())),
                arguments("{drop-frames: {nth: 3}}", new Fault.DropFrames(Trigger.nth(3))),
                arguments(
                        "{duplicate-frames: {probability: 0.5}}",
                        new Fault.DuplicateFrames(Trigger.withProbability(0.5))),
                arguments("{swap-frames: {every: 2, times: 4}}", new Fault.SwapFrames(new Trigger(1, 2, 4, 1))),
                arguments(
                        "{delay-frames: {at-least: 5ms, from: 2}}",
                        new Fault.DelayFrames(
                                new Trigger(2, 1, Trigger.UNLIMITED, 1), Duration.ofMillis(5), Duration.ZERO)),
                arguments("end-watch", Fault.endAfter(0, WatchEnd.CLOSE)),
                arguments("{end-watch: {after-frames: 3, by: half-frame}}", Fault.endAfter(3, WatchEnd.HALF_FRAME)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faults")
    void givenAFault_whenWritten_thenItIsThis(String written, Fault fault) {
        RuleBook book = FaultScript.read("f.yaml", "rules:\n- name: r\n  fault: " + written + "\n");
        assertThat(book.rules()).singleElement().isEqualTo(Rule.named("r").then(fault));
    }

    @Test
    void everyFaultIsInTheTable() {
        Stream<Class<?>> all = Stream.of(Fault.Delay.class);
        all = Stream.concat(all, Arrays.stream(Fault.Decisive.class.getPermittedSubclasses()));
        all = Stream.concat(all, Arrays.stream(Fault.OnFrames.class.getPermittedSubclasses()));
        assertThat(faults().map(row -> Objects.requireNonNull(row.get()[1]).getClass())
                        .distinct())
                .hasSize((int) all.count());
    }

    @Test
    void givenAWholeScript_whenRead_thenEveryPartIsThere() {
        RuleBook book = FaultScript.read("f.yaml", """
            seed: 42
            rules:
            - name: first
              when:
                verb: [list, watch]
                resource: services
                namespace: shop
                object: web
                cluster: [eu-1, eu-2]
                path: /api/*
              hit: {from: 2, every: 3, times: 4, probability: 0.25}
              fault: cut
            - name: second
              hit: {nth: 5}
              fault: garbage
            """);

        assertThat(book.seed()).isEqualTo(42);
        assertThat(book.rules())
                .containsExactly(
                        Rule.named("first")
                                .verbs(Verb.LIST, Verb.WATCH)
                                .resources("services")
                                .namespaces("shop")
                                .names("web")
                                .clusters("eu-1", "eu-2")
                                .path("/api/*")
                                .from(2)
                                .every(3)
                                .times(4)
                                .probability(0.25)
                                .then(new Fault.Cut()),
                        Rule.named("second").nth(5).then(new Fault.Garbage()));
    }

    @Test
    void givenManyMistakes_whenRead_thenAllAreToldAtOnceWithLineAndWhatIsAllowed() {
        List<String> problems = problems("""
            seed: x
            rulez: []
            rules:
            - name: one
              when: {verb: [lisst, get], color: red}
              hit: {nth: 1, every: 2, probability: 1.5}
              fault: {delay: {jitter: soon}}
            - fault: explode
            - name: three
              fault: {answer: {status: 200}}
            - name: four
              when: {verb: watch}
              fault: {end-watch: {by: fire}}
            - name: five
            - name: six
              fault: [cut]
            - name: six
              fault: cut
            - name: six
              when: {verb: list}
              fault: end-watch
            - name: seven
              fault: cut
            - name: seven
              fault: cut
            """);

        String faults = "delay, answer, garbage, no-answer, cut, lose-answer, truncate, stale-view, blackout,"
                + " drop-frames, duplicate-frames, swap-frames, delay-frames, end-watch";
        assertThat(problems)
                .containsExactly(
                        "f.yaml line 1: the script.seed must be a whole number, 0 or more but is \"x\"",
                        "f.yaml line 2: the script has no field rulez; it may have seed, rules; did you mean"
                                + " rules?",
                        "f.yaml line 5: rules[0].when.verb must be one of get, list, watch, create, update, patch,"
                                + " delete, deletecollection, other but is \"lisst\"",
                        "f.yaml line 5: rules[0].when has no field color; it may have verb, resource, namespace,"
                                + " object, cluster, path",
                        "f.yaml line 6: rules[0].hit.probability must be a number above 0 and up to 1 but is \"1.5\"",
                        "f.yaml line 6: rules[0].hit says nth, which is only one; then it must not say from, every or"
                                + " times",
                        "f.yaml line 7: rules[0].fault.delay.jitter must be a duration such as 150ms, 2s, 5m or 1h but"
                                + " is \"soon\"",
                        "f.yaml line 7: rules[0].fault.delay.at-least is missing; it must be a duration such as 150ms",
                        "f.yaml line 8: rules[1].name is missing; it must be a text under which the rule is counted",
                        "f.yaml line 8: rules[1].fault must be one of " + faults + " but is \"explode\"",
                        "f.yaml line 10: rules[2].fault.answer.status must be a whole number, 400 to 599 but is"
                                + " \"200\"",
                        "f.yaml line 13: rules[3].fault.end-watch.by must be one of close, cut, silence, half-frame,"
                                + " garbage, expired, unauthorized but is \"fire\"",
                        "f.yaml line 14: rules[4].fault is missing; it must be one of " + faults,
                        "f.yaml line 16: rules[5].fault must be exactly one of " + faults,
                        "f.yaml line 19: rules[7] makes no sense: rule six never does anything: its fault is one of"
                                + " watches",
                        "f.yaml line 24: another rule is named seven; names must differ");
    }

    static Stream<Arguments> broken() {
        return Stream.of(
                arguments("", "f.yaml line 1: the script is empty; it must have rules, and may have seed"),
                arguments("- cut\n", "f.yaml line 1: the script must be a map"),
                arguments("seed: 1\n", "f.yaml line 1: the script.rules is missing; it must be a list of rules"),
                arguments("rules: cut\n", "f.yaml line 1: rules must be a list of rules"),
                arguments("rules:\n- {name: r, name: s, fault: cut}\n", "f.yaml line 2: name stands here twice"));
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("broken")
    void givenABrokenScript_whenRead_thenTheFirstProblemIs(String script, String problem) {
        assertThat(problems(script)).first().isEqualTo(problem);
    }

    @Test
    void givenSomethingThatIsNotYaml_whenRead_thenTheLineIsTold() {
        assertThat(problems("rules:\n- name: [\n")).first().asString().startsWith("f.yaml line 2: is not YAML: ");
    }

    private static List<String> problems(String script) {
        return catchThrowableOfType(ScriptException.class, () -> FaultScript.read("f.yaml", script))
                .problems();
    }
}
