package io.evenkeel.worker.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.worker.attempt.LocalObject;
import io.evenkeel.worker.harness.HandClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class OverlayTest {
    private static final Duration LONG = Duration.ofSeconds(31);

    private final HandClock hand = new HandClock(Instant.parse("2026-11-30T09:00:00Z"));
    private final Overlay overlay = new Overlay(hand);

    @Test
    void givenWrite_whenAskedForItOrAnOlderOne_thenItIsFound() {
        overlay.put("k", List.of(object("child", 20)));

        assertThat(overlay.find("k", "child", "19"))
                .map(LocalObject::resourceVersion)
                .contains("20");
        assertThat(overlay.find("k", "child", "20"))
                .map(LocalObject::resourceVersion)
                .contains("20");
        assertThat(overlay.find("k", "child", "21")).isEmpty();
        assertThat(overlay.find("k", "other", "20")).isEmpty();
    }

    @Test
    void givenWritesThatNobodyAsksFor_whenTheyAreOld_thenNothingIsKept() {
        for (int i = 0; i < 100; i++) {
            overlay.put("k" + i, List.of(object("child", i)));
        }
        hand.pass(LONG);
        overlay.put("young", List.of(object("child", 7)));

        overlay.forgetOld();

        assertThat(overlay.size()).isEqualTo(1);
        assertThat(overlay.find("young", "child", "7")).isPresent();
    }

    private static LocalObject object(String key, int version) {
        return new LocalObject(key, "uid", Integer.toString(version), new byte[] {1});
    }
}
