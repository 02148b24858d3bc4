package io.evenkeel.worker.task;

import io.evenkeel.api.ControllerKey;
import io.evenkeel.api.ObjectKey;
import io.evenkeel.api.json.Json;
import io.evenkeel.api.record.ObjectHeaders;
import io.evenkeel.api.record.RequestReason;
import io.evenkeel.worker.object.ObjectMetadata;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import tools.jackson.databind.JsonNode;

/**
 * Sends the changes of secondaries to the partitions of their primaries. A repeated record repeats all that it once
 * caused: the requests may have been lost although the owners were kept. The primary's side knows duplicates.
 */
final class SecondaryRouter {
    private final Controllers controllers;
    private final WorkStore work;
    private final BiConsumer<ControllerKey, RequestReason> requests;
    private final Clock clock;

    SecondaryRouter(
            Controllers controllers, WorkStore work, BiConsumer<ControllerKey, RequestReason> requests, Clock clock) {
        this.controllers = controllers;
        this.work = work;
        this.requests = requests;
        this.clock = clock;
    }

    /** An object of an owned kind appeared or changed. */
    void changed(ObjectKey key, String text, ObjectHeaders headers, ObjectMetadata metadata, byte[] json) {
        List<String> owners = ownersOf(key, metadata);
        Optional<Owners> before = work.owners(text);
        if (owners.isEmpty() && before.isEmpty()) {
            return; // most objects belong to nobody here
        }
        if (!owners.isEmpty()) {
            JsonNode object = Json.mapper().readTree(json);
            for (String owner : owners) {
                requests.accept(
                        ControllerKey.parse(owner),
                        new RequestReason.SecondaryChanged(
                                text,
                                headers.uid(),
                                headers.resourceVersion(),
                                headers.epoch(),
                                headers.origin(),
                                headers.eventId(),
                                object));
            }
        }
        Owners now = next(headers, owners, before, false);
        if (now.changedAt().equals(headers.resourceVersion())) {
            now.left().forEach(owner -> removed(owner, text, headers, false));
        }
        if (before.isEmpty() || !before.get().equals(now)) {
            work.put(text, now);
        }
    }

    /**
     * An object of an owned kind is gone.
     *
     * @param left whether it may live on where the watcher does not look
     */
    void deleted(String text, ObjectHeaders headers, boolean left) {
        Optional<Owners> before = work.owners(text);
        if (before.isEmpty()) {
            return;
        }
        Owners now = next(headers, List.of(), before, true);
        now.left().forEach(owner -> removed(owner, text, headers, !left));
        work.put(text, now);
        work.buryOwners(text, clock.instant());
    }

    /** The owners after a record; those that it left are found again when the same record comes once more. */
    private static Owners next(ObjectHeaders headers, List<String> owners, Optional<Owners> before, boolean gone) {
        if (before.isEmpty()) {
            return new Owners(headers.uid(), headers.resourceVersion(), owners, List.of(), gone);
        }
        Owners known = before.get();
        boolean again = known.uid().equals(headers.uid())
                && known.changedAt().equals(headers.resourceVersion())
                && known.gone() == gone;
        if (again) {
            return known;
        }
        var left = new ArrayList<>(known.current());
        left.removeAll(owners);
        boolean same = left.isEmpty() && known.current().equals(owners) && known.gone() == gone;
        return same && known.uid().equals(headers.uid())
                ? known
                : new Owners(headers.uid(), headers.resourceVersion(), owners, left, gone);
    }

    private void removed(String owner, String text, ObjectHeaders headers, boolean deleted) {
        requests.accept(
                ControllerKey.parse(owner),
                new RequestReason.SecondaryRemoved(
                        text, headers.uid(), headers.resourceVersion(), headers.epoch(), deleted, headers.eventId()));
    }

    private List<String> ownersOf(ObjectKey key, ObjectMetadata metadata) {
        var owners = new ArrayList<String>();
        for (ControllerUnit unit : controllers.owning(key)) {
            var primary = unit.controller().primary();
            for (ObjectMetadata.Owner owner : metadata.owners()) {
                if (owner.kind().equals(primary.kind()) && primary.servesApiVersion(owner.apiVersion())) {
                    var ownerKey = new ObjectKey(
                            key.cluster(),
                            primary.group(),
                            primary.kind(),
                            primary.namespaced() ? key.namespace() : "",
                            owner.name());
                    owners.add(new ControllerKey(unit.name(), ownerKey).toString());
                }
            }
        }
        return owners;
    }
}
