package io.evenkeel.api.record;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.time.Instant;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Why a primary should be reconciled; exactly one of these. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = RequestReason.SecondaryChanged.class, name = "SECONDARY_CHANGED"),
    @JsonSubTypes.Type(value = RequestReason.SecondaryRemoved.class, name = "SECONDARY_REMOVED"),
    @JsonSubTypes.Type(value = RequestReason.Referenced.class, name = "REFERENCED"),
    @JsonSubTypes.Type(value = RequestReason.RetryDue.class, name = "RETRY_DUE"),
    @JsonSubTypes.Type(value = RequestReason.RequeueDue.class, name = "REQUEUE_DUE"),
    @JsonSubTypes.Type(value = RequestReason.ResyncDue.class, name = "RESYNC_DUE"),
    @JsonSubTypes.Type(value = RequestReason.Redrive.class, name = "REDRIVE"),
    @JsonSubTypes.Type(value = RequestReason.Audit.class, name = "AUDIT"),
    @JsonSubTypes.Type(value = RequestReason.Manual.class, name = "MANUAL")
})
public sealed interface RequestReason {
    /**
     * A secondary appeared or changed.
     *
     * @param secondary text of its {@link io.evenkeel.api.ObjectKey}
     * @param uid its uid
     * @param resourceVersion its version
     * @param epoch epoch of the cluster
     * @param origin how the change became known
     * @param eventId the change event
     * @param silent true if it wakes nobody and is only to be known; absent means false
     * @param object its newest state
     */
    record SecondaryChanged(
            String secondary,
            String uid,
            String resourceVersion,
            long epoch,
            Origin origin,
            String eventId,
            Optional<Boolean> silent,
            JsonNode object)
            implements RequestReason {}

    /**
     * A secondary was deleted, or no longer belongs to this primary.
     *
     * @param secondary text of its {@link io.evenkeel.api.ObjectKey}
     * @param uid uid of the life that ended or left
     * @param resourceVersion version at which it ended or left
     * @param epoch epoch of the cluster
     * @param deleted true if it was deleted, false if it left for another owner
     * @param eventId the change event
     */
    record SecondaryRemoved(
            String secondary, String uid, String resourceVersion, long epoch, boolean deleted, String eventId)
            implements RequestReason {}

    /**
     * A primary names an object, or no longer does. Unlike the others it lies under the key of the controller and the
     * object that is named, in that object's partition.
     *
     * @param primary text of the primary's {@link io.evenkeel.api.ObjectKey}
     * @param named whether it names it now
     * @param epoch epoch of the cluster
     * @param eventId the change event of the primary
     */
    record Referenced(String primary, boolean named, long epoch, String eventId) implements RequestReason {}

    /**
     * The backoff of a failed attempt has passed.
     *
     * @param attempt number of failed attempts when the retry was planned, 1 or more
     * @param due when it was due
     */
    record RetryDue(int attempt, Instant due) implements RequestReason {}

    /**
     * A requeue that the reconciler asked for is due.
     *
     * @param due when it was due
     */
    record RequeueDue(Instant due) implements RequestReason {}

    /**
     * The controller's timetable asks for a run although nothing changed.
     *
     * @param due when it was due
     */
    record ResyncDue(Instant due) implements RequestReason {}

    /**
     * A person sent a parked key back to work.
     *
     * @param by who, as far as it is known
     */
    record Redrive(String by) implements RequestReason {}

    /**
     * The audit found the object unreconciled.
     *
     * @param run id of the audit's run
     */
    record Audit(String run) implements RequestReason {}

    /**
     * A person asked for it.
     *
     * @param by who, as far as it is known
     */
    record Manual(String by) implements RequestReason {}
}
