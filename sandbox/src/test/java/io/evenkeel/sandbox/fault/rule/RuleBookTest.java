package io.evenkeel.sandbox.fault.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RuleBookTest {
    private static final KubeRequest LIST = request("GET", "/api/v1/namespaces/shop/pods");
    private static final KubeRequest WATCH = request("GET", "/api/v1/namespaces/shop/pods?watch=true");
    private static final KubeRequest CONTINUED = request("GET", "/api/v1/pods?continue=x");
    private static final KubeRequest GET = request("GET", "/api/v1/namespaces/shop/pods/web");
    private static final KubeRequest PATCH = request("PATCH", "/apis/apps/v1/namespaces/shop/deployments/web");
    private static final KubeRequest STATUS = request("PATCH", "/apis/apps/v1/namespaces/shop/deployments/web/status");
    private static final Fault CUT = new Fault.Cut();

    private static KubeRequest request(String method, String path) {
        return KubeRequest.of("eu-1", method, path);
    }

    static Stream<Arguments> matches() {
        Rule.Draft any = Rule.named("r");
        return Stream.of(
                //        rule                                             hits       misses
                arguments(any.then(CUT), List.of(LIST, WATCH, GET, PATCH, STATUS), List.of()),
                arguments(any.verbs(Verb.LIST, Verb.GET).then(CUT), List.of(LIST, GET), List.of(WATCH, PATCH)),
                arguments(any.resources("pods").then(CUT), List.of(LIST, WATCH, GET), List.of(PATCH, STATUS)),
                arguments(any.resources("deployments.apps").then(CUT), List.of(PATCH), List.of(LIST, STATUS)),
                arguments(any.resources("deployments.apps/status").then(CUT), List.of(STATUS), List.of(PATCH)),
                arguments(any.resources("deployments.apps/*").then(CUT), List.of(STATUS), List.of(PATCH)),
                arguments(any.resources("deployments").then(CUT), List.of(), List.of(PATCH, STATUS)),
                arguments(any.namespaces("shop").then(CUT), List.of(LIST, PATCH), List.of(CONTINUED)),
                arguments(any.names("web").then(CUT), List.of(GET, PATCH, STATUS), List.of(LIST)),
                arguments(any.clusters("eu-1").then(CUT), List.of(LIST), List.of()),
                arguments(any.clusters("eu-2").then(CUT), List.of(), List.of(LIST)),
                arguments(any.path("/api/v1/*/pods").then(CUT), List.of(LIST, WATCH), List.of(GET, PATCH)),
                arguments(any.path("*web*").then(CUT), List.of(GET, PATCH, STATUS), List.of(LIST)),
                // by what the fault can be done to
                arguments(any.then(Fault.endAfter(1, WatchEnd.CUT)), List.of(WATCH), List.of(LIST, GET, PATCH)),
                arguments(any.then(new Fault.LoseAnswer()), List.of(LIST, GET, PATCH), List.of(WATCH)),
                arguments(any.then(new Fault.StaleView(1)), List.of(LIST, WATCH), List.of(CONTINUED, GET, PATCH)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("matches")
    void givenARule_whenRequestsCome_thenItCountsThoseItIsAbout(
            Rule rule, List<KubeRequest> hits, List<KubeRequest> misses) {
        assertThat(hits).allMatch(rule::fits);
        assertThat(misses).noneMatch(rule::fits);
    }

    static Stream<Arguments> triggers() {
        Rule.Draft any = Rule.named("r");
        return Stream.of(
                //        which                       of eight requests
                arguments(any, List.of(1, 2, 3, 4, 5, 6, 7, 8)),
                arguments(any.nth(3), List.of(3)),
                arguments(any.from(6), List.of(6, 7, 8)),
                arguments(any.every(3), List.of(1, 4, 7)),
                arguments(any.from(2).every(3), List.of(2, 5, 8)),
                arguments(any.times(2), List.of(1, 2)),
                arguments(any.from(2).every(2).times(2), List.of(2, 4)));
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("triggers")
    void givenATrigger_whenEightRequestsCome_thenItHitsThese(Rule.Draft draft, List<Integer> hits) {
        assertThat(hits(new RuleBook(1, List.of(draft.then(CUT))), 8)).isEqualTo(hits);
    }

    /** The numbers of those requests, from 1, that the first rule of the book hits. */
    private static List<Integer> hits(RuleBook book, int requests) {
        List<Integer> hits = new ArrayList<>();
        Map<String, Tally> tallies = Map.of();
        for (int number = 1; number <= requests; number++) {
            RuleBook.Step step = book.decide(tallies, LIST);
            tallies = step.tallies();
            if (step.plan().decisive().isPresent()) {
                hits.add(number);
            }
        }
        return hits;
    }

    @Test
    void givenAProbability_whenTheSeedIsTheSame_thenTheSameRequestsAreHit() {
        Rule rule = Rule.named("r").probability(0.3).then(CUT);

        List<Integer> hits = hits(new RuleBook(7, List.of(rule)), 1_000);

        assertThat(hits).isEqualTo(hits(new RuleBook(7, List.of(rule)), 1_000)).hasSizeBetween(250, 350);
        assertThat(hits(new RuleBook(8, List.of(rule)), 1_000)).isNotEqualTo(hits);
        assertThat(hits(new RuleBook(7, List.of(Rule.named("s").probability(0.3).then(CUT))), 1_000))
                .isNotEqualTo(hits);
    }

    @Test
    void givenOtherRules_whenRequestsMeetThemToo_thenTheLuckOfARuleIsItsOwn() {
        Rule rule = Rule.named("r").probability(0.3).then(CUT);
        Rule other = Rule.named("other").probability(0.5).then(Fault.delay(Duration.ofMillis(1)));

        assertThat(hits(new RuleBook(7, List.of(other, rule)), 200))
                .isEqualTo(hits(new RuleBook(7, List.of(rule)), 200));
    }

    @Test
    void givenTwoDecisiveFaults_whenBothWouldHit_thenTheFirstIsDoneAndBothCountTheRequest() {
        RuleBook book = new RuleBook(
                1,
                List.of(
                        Rule.named("frames").then(Fault.endAfter(1, WatchEnd.CLOSE)),
                        Rule.named("first").from(2).then(Fault.answer(500)),
                        Rule.named("second").then(CUT),
                        Rule.named("slow").then(Fault.delay(Duration.ofMillis(5)))));

        RuleBook.Step one = book.decide(Map.of(), WATCH);
        RuleBook.Step two = book.decide(one.tallies(), WATCH);

        assertThat(one.plan().decisive()).map(Plan.Hit::rule).contains("second");
        assertThat(two.plan().decisive()).map(Plan.Hit::rule).contains("first");
        assertThat(two.plan().frames()).isEmpty();
        assertThat(two.plan().delays()).extracting(Plan.Hit::rule).containsExactly("slow");
        assertThat(two.tallies())
                .containsEntry("frames", new Tally(2, 0))
                .containsEntry("first", new Tally(2, 1))
                .containsEntry("second", new Tally(2, 1))
                .containsEntry("slow", new Tally(2, 2));
    }

    @Test
    void givenJitter_whenDrawn_thenTheWaitLiesWithinItAndIsTheSameAgain() {
        Fault.Delay fault = new Fault.Delay(Duration.ofMillis(100), Duration.ofMillis(50));
        for (long seed = 0; seed < 100; seed++) {
            Plan.Hit<Fault.Delay> hit = new Plan.Hit<>("r", fault, new Chance(seed));
            assertThat(Plan.wait(hit))
                    .isBetween(Duration.ofMillis(100), Duration.ofMillis(150))
                    .isEqualTo(Plan.wait(hit));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void givenAnyRulesAndRequests_whenRepeated_thenThePlansAreEqualAndTalliesNeverExceedTheirLimits(long seed) {
        List<KubeRequest> requests = requests(new SplittableRandom(seed));
        RuleBook book = book(seed);
        List<Plan> first = new ArrayList<>();
        Map<String, Tally> tallies = Map.of();
        for (KubeRequest request : requests) {
            RuleBook.Step step = book.decide(tallies, request);
            tallies = step.tallies();
            first.add(step.plan());
        }
        Map<String, Tally> again = Map.of();
        for (int i = 0; i < requests.size(); i++) {
            RuleBook.Step step = book.decide(again, requests.get(i));
            again = step.tallies();
            assertThat(step.plan()).isEqualTo(first.get(i));
        }
        assertThat(again).isEqualTo(tallies);
        for (Rule rule : book.rules()) {
            Tally tally = tallies.getOrDefault(rule.name(), Tally.NONE);
            assertThat(tally.hit())
                    .isLessThanOrEqualTo(
                            Math.min(tally.matched(), rule.trigger().times()));
            assertThat(tally.matched())
                    .isEqualTo(requests.stream().filter(rule::fits).count());
        }
    }

    static Stream<Long> seeds() {
        return Stream.of(1L, 2L, 3L, 42L, -1L);
    }

    private static List<KubeRequest> requests(SplittableRandom random) {
        List<KubeRequest> kinds = List.of(LIST, WATCH, CONTINUED, GET, PATCH, STATUS);
        return Stream.generate(() -> kinds.get(random.nextInt(kinds.size())))
                .limit(500)
                .toList();
    }

    private static RuleBook book(long seed) {
        SplittableRandom random = new SplittableRandom(seed + 1);
        List<Fault> faults = List.of(
                CUT,
                Fault.answer(503),
                Fault.delay(Duration.ofMillis(1)),
                Fault.endAfter(2, WatchEnd.EXPIRED),
                new Fault.StaleView(1),
                new Fault.DropFrames(Trigger.always()));
        List<Rule> rules = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            rules.add(Rule.named("rule-" + i)
                    .from(1 + random.nextLong(5))
                    .every(1 + random.nextLong(3))
                    .times(1 + random.nextLong(50))
                    .probability(0.1 + 0.9 * random.nextDouble())
                    .then(faults.get(random.nextInt(faults.size()))));
        }
        return new RuleBook(seed, rules);
    }

    @Test
    void givenRulesThatMakeNoSense_whenMade_thenTheMessageSaysWhy() {
        assertThatThrownBy(() -> Rule.named("r").verbs(Verb.LIST).then(Fault.endAfter(1, WatchEnd.CUT)))
                .hasMessage("rule r never does anything: its fault is one of watches");
        assertThatThrownBy(() -> Rule.named("r").probability(0)).hasMessageContaining("probability must be above 0");
        assertThatThrownBy(() -> Rule.named("r").nth(0)).hasMessageContaining("from must be 1 or more but is 0");
        assertThatThrownBy(() -> Fault.answer(200)).hasMessage("status must be 400 to 599 but is 200");
        Rule rule = Rule.named("r").then(CUT);
        assertThatThrownBy(() -> new RuleBook(1, Arrays.asList(rule, rule))).hasMessage("two rules are named r");
    }

    @Test
    void givenAnAnswer_whenWorded_thenItsReasonIsTheUsualOneUnlessSaidOtherwise() {
        assertThat(KubeStatus.of("r", Fault.answer(409)).reason()).isEqualTo("Conflict");
        assertThat(KubeStatus.of("r", Fault.answer(409).because("AlreadyExists"))
                        .reason())
                .isEqualTo("AlreadyExists");
        assertThat(KubeStatus.of("r", Fault.answer(429).retryAfter(Duration.ofSeconds(3)))
                        .retryAfterSeconds())
                .isEqualTo(Optional.of(3L));
    }
}
