package io.evenkeel.cli.bench.soak;

import static io.evenkeel.api.record.ChangeType.ADDED;
import static io.evenkeel.api.record.ChangeType.DELETED;
import static io.evenkeel.api.record.ChangeType.MODIFIED;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.ObjectKey;
import io.evenkeel.api.json.Json;
import io.evenkeel.api.record.ChangeType;
import io.evenkeel.api.record.Origin;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

class JudgeTest {
    private static final ObjectKey KEY = SoakKind.CONFIG_MAP.key("seed-1", "default", "a");
    private static final List<ServerStep> STEPS =
            List.of(step(1, ADDED), step(3, MODIFIED), step(5, MODIFIED), step(7, MODIFIED));
    private static final List<Window> NO_GAP = List.of();

    static Stream<Arguments> exact() {
        return Stream.of(
                Arguments.of("every step", all(1, 3, 5, 7), NO_GAP),
                Arguments.of("a gap over the step that is missing", all(1, 3, 7), List.of(new Window(3, 7))),
                Arguments.of("first listed as it was at 3", List.of(listed(3), event(5), event(7)), NO_GAP));
    }

    static Stream<Arguments> wrong() {
        return Stream.of(
                Arguments.of("is missing outside", all(1, 3, 7), NO_GAP),
                Arguments.of("is missing outside", all(1, 3, 7), List.of(new Window(5, 9))),
                Arguments.of("at the end of the gap", all(1, 3, 7), List.of(new Window(3, 6))),
                Arguments.of("at the end the server", all(1, 3, 5), List.of(new Window(5, 9))),
                Arguments.of("was invented, doubled", all(1, 3, 3, 5, 7), NO_GAP),
                Arguments.of("was invented, doubled", all(1, 5, 3, 7), NO_GAP),
                Arguments.of("was invented, doubled", all(1, 3, 4, 5, 7), NO_GAP),
                Arguments.of(
                        "was inferred outside", List.of(event(1), event(3), event(5), event(7), inferred(7)), NO_GAP));
    }

    @ParameterizedTest
    @MethodSource("exact")
    void givenALogThatIsExact_whenCompared_thenNothingIsFound(
            String name, List<LoggedEvent> events, List<Window> gaps) {
        assertThat(Judge.findings(Map.of(KEY, STEPS), log(events, gaps, newest(7))))
                .as(name)
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void givenALogThatIsNot_whenCompared_thenItSaysWhy(String why, List<LoggedEvent> events, List<Window> gaps) {
        List<ServerStep> steps = why.contains("inferred")
                ? Stream.concat(STEPS.stream(), Stream.of(step(9, DELETED))).toList()
                : STEPS;
        assertThat(Judge.findings(Map.of(KEY, steps), log(events, gaps, newest(7))))
                .extracting(Judge.Finding::text)
                .anyMatch(text -> text.startsWith(why));
    }

    @Test
    void givenAnotherContent_whenCompared_thenItIsFound() {
        var other = new LoggedEvent(ADDED, 1, "u", Origin.WATCH, true, Optional.of(content(2)));

        assertThat(Judge.findings(Map.of(KEY, List.of(step(1, ADDED))), log(List.of(other), NO_GAP, newest(1))))
                .extracting(Judge.Finding::text)
                .singleElement()
                .asString()
                .contains("shows");
    }

    @Test
    void givenObjectsThatIsBehind_whenCompared_thenItIsFound() {
        assertThat(Judge.findings(Map.of(KEY, STEPS), log(all(1, 3, 5, 7), NO_GAP, newest(5))))
                .extracting(Judge.Finding::text)
                .singleElement()
                .asString()
                .startsWith("objects holds");
    }

    @Test
    void givenADeletedObject_whenThereIsNoTombstone_thenItIsFound() {
        List<ServerStep> steps = List.of(step(1, ADDED), step(3, DELETED));
        List<LoggedEvent> events =
                List.of(event(1), new LoggedEvent(DELETED, 3, "u", Origin.WATCH, true, Optional.of(content(3))));

        assertThat(Judge.findings(Map.of(KEY, steps), log(events, NO_GAP, newest(1))))
                .extracting(Judge.Finding::text)
                .containsExactly("is gone but still on objects");
    }

    @Test
    void givenTheSameSeed_whenDrawnAgain_thenThePlanIsTheSame() {
        assertThat(Plan.of(7, "g.example.com")).isEqualTo(Plan.of(7, "g.example.com"));
        assertThat(Plan.of(7, "g.example.com")).isNotEqualTo(Plan.of(8, "g.example.com"));
    }

    private static ShardLog log(List<LoggedEvent> events, List<Window> gaps, Newest newest) {
        return new ShardLog(Map.of(KEY, events), gaps, Map.of(KEY, newest));
    }

    private static List<LoggedEvent> all(long... versions) {
        return java.util.Arrays.stream(versions).mapToObj(JudgeTest::event).toList();
    }

    private static LoggedEvent event(long version) {
        return new LoggedEvent(
                version == 1 ? ADDED : MODIFIED, version, "u", Origin.WATCH, true, Optional.of(content(version)));
    }

    private static LoggedEvent listed(long version) {
        return new LoggedEvent(ADDED, version, "u", Origin.LIST, true, Optional.of(content(version)));
    }

    private static LoggedEvent inferred(long version) {
        return new LoggedEvent(DELETED, version, "u", Origin.RELIST, false, Optional.empty());
    }

    private static ServerStep step(long version, ChangeType type) {
        return new ServerStep(version, type, "u", content(version));
    }

    private static Newest newest(long version) {
        return new Newest("u", version, Optional.of(content(version)));
    }

    private static JsonNode content(long value) {
        return Json.mapper().readTree("{\"value\":" + value + "}");
    }
}
