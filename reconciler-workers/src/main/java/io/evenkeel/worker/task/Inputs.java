package io.evenkeel.worker.task;

import io.evenkeel.api.record.Cause;
import io.evenkeel.api.record.ObjectHeaders;
import io.evenkeel.api.record.Origin;
import io.evenkeel.api.record.ReconcileRequest;
import io.evenkeel.api.record.RequestReason;
import io.evenkeel.worker.ledger.Input;
import io.evenkeel.worker.ledger.KeyState;
import io.evenkeel.worker.ledger.Lane;
import io.evenkeel.worker.ledger.Sighting;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Makes the ledger's inputs of records. */
final class Inputs {
    /** Sections whose change is work for kinds that have no generation. */
    private static final List<String> CONTENT = List.of("spec", "data");

    private Inputs() {}

    static Input primaryChanged(String text, ObjectHeaders headers, boolean deleting, boolean backlog, boolean wakes) {
        return new Input.PrimaryChanged(
                text,
                Sighting.of(headers, deleting),
                headers.changed().stream().anyMatch(CONTENT::contains),
                headers.origin() == Origin.LIST || backlog,
                headers.origin() == Origin.WATCH,
                wakes,
                new Cause(
                        "PRIMARY_CHANGED",
                        Optional.of(headers.eventId()),
                        String.join(",", headers.changed()),
                        headers.observedAt()));
    }

    static Input requested(ReconcileRequest request) {
        Instant at = request.requestedAt();
        return switch (request.reason()) {
            case RequestReason.SecondaryChanged changed ->
                new Input.SecondaryChanged(
                        changed.secondary(),
                        changed.resourceVersion(),
                        changed.origin() == Origin.LIST,
                        changed.origin() == Origin.WATCH,
                        !changed.silent().orElse(false),
                        cause("SECONDARY_CHANGED", Optional.of(changed.eventId()), changed.secondary(), at));
            case RequestReason.SecondaryRemoved removed ->
                new Input.SecondaryRemoved(
                        removed.secondary(),
                        cause("SECONDARY_REMOVED", Optional.of(removed.eventId()), removed.secondary(), at));
            case RequestReason.Referenced referenced ->
                throw new IllegalArgumentException("a reference is no input of the primary's");
            case RequestReason.RetryDue due ->
                new Input.Due(
                        KeyState.Kind.RETRY,
                        due.due(),
                        cause("RETRY_DUE", Optional.empty(), "after failed attempt " + due.attempt(), at));
            case RequestReason.RequeueDue due ->
                new Input.Due(KeyState.Kind.REQUEUE, due.due(), cause("REQUEUE_DUE", Optional.empty(), "", at));
            case RequestReason.ResyncDue due ->
                new Input.Due(KeyState.Kind.RESYNC, due.due(), cause("RESYNC_DUE", Optional.empty(), "", at));
            case RequestReason.Redrive redrive ->
                new Input.Redriven(cause("REDRIVE", Optional.empty(), redrive.by(), at));
            case RequestReason.Audit audit ->
                new Input.Asked(Lane.BACKGROUND, cause("AUDIT", Optional.empty(), audit.run(), at));
            case RequestReason.Manual manual ->
                new Input.Asked(Lane.NORMAL, cause("MANUAL", Optional.empty(), manual.by(), at));
        };
    }

    private static Cause cause(String type, Optional<String> eventId, String detail, Instant at) {
        return new Cause(type, eventId, detail, at);
    }
}
