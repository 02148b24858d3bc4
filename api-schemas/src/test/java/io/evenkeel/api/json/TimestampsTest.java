package io.evenkeel.api.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimestampsTest {
    private static final long LAST_OF_FOUR_DIGITS = 253_402_300_799L;

    @Test
    void givenWhatAnInstantWrites_whenRead_thenItIsThatInstant() {
        var random = new SplittableRandom(7);
        Stream<Instant> edges = Stream.of(
                Instant.EPOCH,
                Instant.parse("0000-01-01T00:00:00Z"),
                Instant.parse("2024-02-29T23:59:59.999999999Z"),
                Instant.parse("1969-12-31T23:59:59.999Z"),
                Instant.ofEpochSecond(LAST_OF_FOUR_DIGITS),
                Instant.ofEpochSecond(LAST_OF_FOUR_DIGITS + 1),
                Instant.parse("2026-11-30T09:14:02Z"),
                Instant.parse("2026-11-30T09:14:02.000001Z"),
                Instant.parse("2026-11-30T09:14:02.000000001Z"),
                Instant.MIN,
                Instant.MAX);
        Stream<Instant> others = Stream.generate(() -> Instant.ofEpochSecond(
                        random.nextLong(-LAST_OF_FOUR_DIGITS / 4, LAST_OF_FOUR_DIGITS),
                        random.nextInt(4) * 250_000_000L + random.nextInt(1_000_000)))
                .limit(2_000);

        assertThat(Stream.concat(edges, others)).allSatisfy(time -> {
            assertThat(Timestamps.parse(time.toString())).isEqualTo(time);
            assertThat(Timestamps.format(time)).isEqualTo(time.toString());
            assertThat(Json.read(Json.write(time), Instant.class)).isEqualTo(time);
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-11-30T09:14:02.1Z",
                "2026-11-30T09:14:02.12345Z",
                "2026-11-30T10:14:02+01:00",
                "2026-11-30T24:00:00Z",
                "2026-11-30t09:14:02z"
            })
    void givenAnotherFormOfIso8601_whenRead_thenItIsWhatTheJdkReads(String text) {
        assertThat(Timestamps.parse(text)).isEqualTo(Instant.parse(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Z",
                "2026-11-30",
                "2026-13-30T09:14:02Z",
                "2026-02-30T09:14:02Z",
                "2026-11-30T09:61:02Z",
                "2026-11-30T09:14:02.1234567890Z",
                "2026-11-30T09:14:0xZ",
                "2026/11/30T09:14:02Z"
            })
    void givenNoTime_whenRead_thenItIsRefusedAsTheJdkRefusesIt(String text) {
        assertThatThrownBy(() -> Instant.parse(text)).isInstanceOf(DateTimeException.class);
        assertThatThrownBy(() -> Timestamps.parse(text)).isInstanceOf(DateTimeException.class);
        assertThatThrownBy(() -> Json.read(("\"" + text + "\"").getBytes(StandardCharsets.UTF_8), Instant.class))
                .isInstanceOf(MalformedRecordException.class);
    }

    @Test
    void givenANumber_whenATimeIsExpected_thenItIsRefused() {
        assertThatThrownBy(() -> Json.read("12".getBytes(StandardCharsets.UTF_8), Instant.class))
                .isInstanceOf(MalformedRecordException.class);
    }
}
