package io.evenkeel.worker.attempt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RequestPaceTest {
    private final AtomicLong now = new AtomicLong(-5);

    @Test
    void givenABurst_whenItIsUsedUp_thenRequestsComeAtThePace() {
        var pace = new RequestPace(10, 3, now::get);
        assertThat(pace.reserve()).isZero();
        assertThat(pace.reserve()).isZero();
        assertThat(pace.reserve()).isZero();
        assertThat(pace.reserve()).isEqualTo(millis(100));
        assertThat(pace.reserve()).isEqualTo(millis(200));
        now.addAndGet(millis(200));
        assertThat(pace.reserve()).isEqualTo(millis(100));
    }

    @Test
    void givenALongQuietTime_whenRequestsCome_thenNoMoreThanTheBurstGoesAtOnce() {
        var pace = new RequestPace(10, 2, now::get);
        now.addAndGet(millis(3_600_000));
        assertThat(pace.reserve()).isZero();
        assertThat(pace.reserve()).isZero();
        assertThat(pace.reserve()).isEqualTo(millis(100));
    }

    @Test
    void givenAServerThatAsksForPatience_whenItWasGiven_thenTheLongestWishHoldsUpToAMinute() {
        var pace = new RequestPace(0, 1, now::get);
        assertThat(pace.pauseLeft()).isZero();
        pace.pause(Duration.ofSeconds(7));
        pace.pause(Duration.ofSeconds(2));
        assertThat(pace.pauseLeft()).isEqualTo(millis(7_000));
        now.addAndGet(millis(6_999));
        assertThat(pace.pauseLeft()).isEqualTo(millis(1));
        pace.pause(Duration.ofHours(2));
        assertThat(pace.pauseLeft()).isEqualTo(millis(60_000));
    }

    @Test
    void givenNoLimit_whenRequestsCome_thenTheyGoAtOnce() {
        var pace = new RequestPace(0, 1, now::get);
        for (int i = 0; i < 1_000; i++) {
            assertThat(pace.reserve()).isZero();
        }
    }

    @Test
    void givenNonsense_whenMade_thenRefused() {
        assertThatThrownBy(() -> new RequestPace(-1, 1, now::get)).hasMessageContaining("-1");
        assertThatThrownBy(() -> new RequestPace(1, 0, now::get)).hasMessageContaining("burst 1 or more");
    }

    private static long millis(long millis) {
        return Duration.ofMillis(millis).toNanos();
    }
}
