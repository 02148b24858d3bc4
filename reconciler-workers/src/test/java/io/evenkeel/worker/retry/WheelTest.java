package io.evenkeel.worker.retry;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.ControllerKey;
import io.evenkeel.api.ObjectKey;
import io.evenkeel.api.record.ReconcileRequest;
import io.evenkeel.api.record.RequestReason;
import io.evenkeel.api.record.RetryEntry;
import io.evenkeel.api.record.RetryTier;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class WheelTest {
    private static final Instant NOW = Instant.parse("2026-11-30T09:00:00Z");
    private static final ControllerKey KEY =
            new ControllerKey("widgets", new ObjectKey("local", "test.evenkeel.io", "Widget", "default", "a"));

    @Test
    void givenEntry_whenItsTimeHasCome_thenItBecomesARequest() {
        RetryEntry retry = entry(RetryEntry.Kind.RETRY, NOW);
        RetryEntry requeue = entry(RetryEntry.Kind.REQUEUE, NOW.minusMillis(1));

        assertThat(Wheel.turn(retry, RetryTier.SECONDS_10, NOW.minusMillis(1), NOW))
                .isEqualTo(new Wheel.Turn.Surface(
                        ReconcileRequest.of(KEY, NOW, new RequestReason.RetryDue(3, retry.due()))));
        assertThat(Wheel.turn(requeue, RetryTier.MILLIS_100, NOW.minusMillis(1), NOW))
                .isEqualTo(new Wheel.Turn.Surface(
                        ReconcileRequest.of(KEY, NOW, new RequestReason.RequeueDue(requeue.due()))));
    }

    @Test
    void givenEntry_whenItsTimeIsBeforeThatOfItsTier_thenItWaitsUntilItIsDue() {
        Instant due = NOW.plusMillis(40);

        assertThat(Wheel.turn(entry(RetryEntry.Kind.RETRY, due), RetryTier.MILLIS_100, NOW, NOW))
                .isEqualTo(new Wheel.Turn.Wait(due));
    }

    @Test
    void givenEntry_whenItsTierIsShorterThanItsDelay_thenItWaitsThereAndMovesToATierNotLongerThanTheRest() {
        RetryEntry entry = entry(RetryEntry.Kind.RETRY, NOW.plusSeconds(13));

        assertThat(Wheel.turn(entry, RetryTier.SECONDS_10, NOW, NOW))
                .isEqualTo(new Wheel.Turn.Wait(NOW.plusSeconds(10)));
        assertThat(Wheel.turn(entry, RetryTier.SECONDS_10, NOW, NOW.plusSeconds(10)))
                .isEqualTo(new Wheel.Turn.Move(RetryTier.SECONDS_2));
    }

    private static RetryEntry entry(RetryEntry.Kind kind, Instant due) {
        return new RetryEntry(KEY.controller(), KEY.primary().toString(), kind, 3, due, "broken");
    }
}
