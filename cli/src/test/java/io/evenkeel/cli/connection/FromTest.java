package io.evenkeel.cli.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class FromTest {
    private static final ZoneId ZONE = ZoneOffset.ofHours(1);
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-11-30T09:20:00Z"), ZONE);

    static Stream<Arguments> table() {
        return Stream.of(
                arguments("2026-11-30T09:14:02Z", "2026-11-30T09:14:02Z"),
                arguments("2026-11-30T09:14:02+02:00", "2026-11-30T07:14:02Z"),
                arguments("2026-11-30T09:14", "2026-11-30T08:14:00Z"),
                arguments("2026-11-30", "2026-11-29T23:00:00Z"),
                arguments("15m", "2026-11-30T09:05:00Z"),
                arguments("2h", "2026-11-30T07:20:00Z"),
                arguments("3d", "2026-11-27T09:20:00Z"));
    }

    @ParameterizedTest
    @MethodSource("table")
    void timesAreUnderstood(String text, String instant) {
        assertThat(From.parse(text, CLOCK, ZONE)).isEqualTo(new From.Time(Instant.parse(instant)));
    }

    @Test
    void wordsAreUnderstood() {
        assertThat(From.parse("beginning", CLOCK, ZONE)).isEqualTo(new From.Beginning());
        assertThat(From.parse("now", CLOCK, ZONE)).isEqualTo(new From.Now());
    }

    @Test
    void givenAnythingElse_whenParsed_thenFormsAreNamed() {
        assertThatThrownBy(() -> From.parse("2026-13-30", CLOCK, ZONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'2026-13-30' is no starting point");
    }
}
