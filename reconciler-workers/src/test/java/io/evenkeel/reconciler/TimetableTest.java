package io.evenkeel.reconciler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TimetableTest {
    private static final Instant MONDAY = Instant.parse("2026-11-30T09:00:00Z");
    private final SplittableRandom random = new SplittableRandom(1);

    @Test
    void givenAPeriod_whenTheNextTimeIsDrawn_thenItIsGiveOrTakeATenthAndNeverTheSame() {
        Timetable hourly = Timetable.NONE.every(Duration.ofHours(1));
        var times = IntStream.range(0, 1_000)
                .mapToObj(i -> hourly.next(MONDAY, random).orElseThrow())
                .toList();
        assertThat(times)
                .allSatisfy(time -> assertThat(Duration.between(MONDAY, time))
                        .isBetween(Duration.ofMinutes(54), Duration.ofMinutes(66)));
        assertThat(times.stream().distinct().count()).isGreaterThan(900);
    }

    @Test
    void givenObjectsWithoutATime_whenTheyAreGivenOne_thenTheyAreSpreadOverTheWholePeriod() {
        Timetable hourly = Timetable.NONE.every(Duration.ofHours(1));
        var times = IntStream.range(0, 1_000)
                .mapToObj(i -> hourly.first(MONDAY, random).orElseThrow())
                .toList();
        assertThat(times).allSatisfy(time -> assertThat(time).isBetween(MONDAY, MONDAY.plusSeconds(3_600)));
        assertThat(times).anyMatch(time -> time.isBefore(MONDAY.plusSeconds(600)));
        assertThat(times).anyMatch(time -> time.isAfter(MONDAY.plusSeconds(3_000)));
    }

    @Test
    void givenCronExpressions_whenTheNextTimeIsAsked_thenItIsTheSoonestInItsZone() {
        Timetable nightly = Timetable.NONE.at("0 3 * * *", ZoneOffset.UTC);
        assertThat(nightly.next(MONDAY, random)).contains(Instant.parse("2026-12-01T03:00:00Z"));
        assertThat(nightly.at("30 11 * * 1-5", ZoneId.of("Europe/Berlin")).next(MONDAY, random))
                .contains(Instant.parse("2026-11-30T10:30:00Z"));
        assertThat(nightly.every(Duration.ofMinutes(10)).next(MONDAY, random).orElseThrow())
                .isBefore(MONDAY.plusSeconds(661));
        assertThat(nightly.every(Duration.ofDays(10)).next(MONDAY, random))
                .contains(Instant.parse("2026-12-01T03:00:00Z"));
    }

    @Test
    void givenTheMomentOfASchedule_whenTheNextTimeIsAsked_thenItIsTheOneAfter() {
        Timetable nightly = Timetable.NONE.at("0 9 * * *", ZoneOffset.UTC);
        assertThat(nightly.next(MONDAY, random)).contains(MONDAY.plusSeconds(86_400));
    }

    @Test
    void givenNothing_whenAsked_thenThereIsNoTime() {
        assertThat(Timetable.NONE.isEmpty()).isTrue();
        assertThat(Timetable.NONE.next(MONDAY, random)).isEqualTo(Optional.empty());
    }

    @Test
    void givenNoCronExpression_whenDescribed_thenItIsRefusedWithItsText() {
        assertThatThrownBy(() -> Timetable.NONE.at("every day", ZoneOffset.UTC))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'every day'")
                .hasMessageContaining("minute, hour");
        assertThatThrownBy(() -> Timetable.NONE.at("0 0 30 2 *", ZoneOffset.UTC))
                .hasMessageContaining("never comes");
        assertThatThrownBy(() -> Timetable.NONE.every(Duration.ofMillis(10))).hasMessageContaining("1 s or more");
    }
}
