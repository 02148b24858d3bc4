package io.evenkeel.api.record;

import io.evenkeel.api.ControllerKey;
import java.time.Instant;

/**
 * A reason to reconcile, on {@code requests} under its {@link ControllerKey}.
 *
 * @param controller name of the controller
 * @param primary text of the primary's {@link io.evenkeel.api.ObjectKey}
 * @param requestedAt by the clock of the process that asks
 * @param reason why
 */
public record ReconcileRequest(String controller, String primary, Instant requestedAt, RequestReason reason) {
    /** A request for {@code key}. */
    public static ReconcileRequest of(ControllerKey key, Instant requestedAt, RequestReason reason) {
        return new ReconcileRequest(key.controller(), key.primary().toString(), requestedAt, reason);
    }

    /** The key under which the request lies on its topic. */
    public ControllerKey key() {
        return ControllerKey.parse(controller + "/" + primary);
    }
}
