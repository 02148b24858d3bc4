package io.evenkeel.worker.retry;

import io.evenkeel.api.record.ReconcileRequest;
import io.evenkeel.api.record.RequestReason;
import io.evenkeel.api.record.RetryEntry;
import io.evenkeel.api.record.RetryTier;
import java.time.Duration;
import java.time.Instant;

/** What becomes of an entry at the head of a tier. Pure. */
final class Wheel {
    private Wheel() {}

    /** What to do with a head; exactly one of these. */
    sealed interface Turn {
        /**
         * Look again then.
         *
         * @param until when it leaves its tier
         */
        record Wait(Instant until) implements Turn {}

        /**
         * Its time has not come, but that of its tier: it goes on in another.
         *
         * @param tier the tier
         */
        record Move(RetryTier tier) implements Turn {}

        /**
         * Its time has come.
         *
         * @param request what to ask for
         */
        record Surface(ReconcileRequest request) implements Turn {}
    }

    /**
     * @param tier where it lies
     * @param enteredAt when it was written there
     */
    static Turn turn(RetryEntry entry, RetryTier tier, Instant enteredAt, Instant now) {
        if (!entry.due().isAfter(now)) {
            RequestReason reason = switch (entry.kind()) {
                case RETRY -> new RequestReason.RetryDue(Math.max(1, entry.attempt()), entry.due());
                case REQUEUE -> new RequestReason.RequeueDue(entry.due());
                case RESYNC -> new RequestReason.ResyncDue(entry.due());
            };
            return new Turn.Surface(ReconcileRequest.of(entry.key(), now, reason));
        }
        Instant leaves = enteredAt.plus(tier.delay());
        Instant until = leaves.isBefore(entry.due()) ? leaves : entry.due();
        if (until.isAfter(now)) {
            return new Turn.Wait(until);
        }
        return new Turn.Move(RetryTier.forDelay(Duration.between(now, entry.due())));
    }
}
