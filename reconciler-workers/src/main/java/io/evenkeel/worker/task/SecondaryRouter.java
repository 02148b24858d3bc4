package io.evenkeel.worker.task;

import io.evenkeel.api.ControllerKey;
import io.evenkeel.api.ObjectKey;
import io.evenkeel.api.record.ObjectHeaders;
import io.evenkeel.api.record.Origin;
import io.evenkeel.api.record.RequestReason;
import io.evenkeel.worker.object.ObjectMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * Sends the changes of secondaries to the partitions of their primaries. A repeated record repeats all that it once
 * caused: the requests may have been lost although the owners were kept. The primary's side knows duplicates. An owner is
 * here whoever a secondary concerns, by whatever link.
 */
final class SecondaryRouter {
    private final Controllers controllers;
    private final WorkStore work;
    private final ReadOnlyKeyValueStore<Bytes, byte[]> objects;
    private final KubernetesSerialization serialization;
    private final BiConsumer<ControllerKey, RequestReason> requests;
    private final Clock clock;

    SecondaryRouter(
            Controllers controllers,
            WorkStore work,
            ReadOnlyKeyValueStore<Bytes, byte[]> objects,
            KubernetesSerialization serialization,
            BiConsumer<ControllerKey, RequestReason> requests,
            Clock clock) {
        this.controllers = controllers;
        this.work = work;
        this.objects = objects;
        this.serialization = serialization;
        this.requests = requests;
        this.clock = clock;
    }

    /** An object of an owned kind appeared or changed. */
    void changed(ObjectKey key, String text, ObjectHeaders headers, ObjectMetadata metadata, byte[] json) {
        var object = new Decoded(serialization, json);
        Optional<Owners> before = work.owners(text);
        List<String> owners = ownersOf(key, text, metadata, object, before);
        if (owners.isEmpty() && before.isEmpty()) {
            return; // most objects belong to nobody here
        }
        if (!owners.isEmpty()) {
            Map<String, Boolean> wakes = new HashMap<>();
            for (String owner : owners) {
                ControllerKey ownerKey = ControllerKey.parse(owner);
                boolean waking = wakes.computeIfAbsent(
                        ownerKey.controller(),
                        name -> controllers
                                .ofKey(owner)
                                .map(unit -> Links.wakes(unit.controller(), key, headers, object))
                                .orElse(true));
                requests.accept(
                        ownerKey,
                        new RequestReason.SecondaryChanged(
                                text,
                                headers.uid(),
                                headers.resourceVersion(),
                                headers.epoch(),
                                headers.origin(),
                                headers.eventId(),
                                waking ? Optional.empty() : Optional.of(true),
                                object.tree()));
            }
        }
        Owners now = Owners.next(headers, owners, before, false);
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
        Owners now = Owners.next(headers, List.of(), before, true);
        now.left().forEach(owner -> removed(owner, text, headers, !left));
        work.put(text, now);
        work.buryOwners(text, clock.instant());
    }

    /** A primary, perhaps of another partition, says that it names an object of this one, or no longer does. */
    void referenced(ControllerUnit unit, ObjectKey key, RequestReason.Referenced referenced) {
        String text = key.toString();
        String owner = new ControllerKey(unit.name(), ObjectKey.parse(referenced.primary())).toString();
        if (referenced.named()) {
            work.putReference(text, owner);
        } else {
            work.removeReference(text, owner);
        }
        Optional<byte[]> json = Optional.ofNullable(objects.get(Bytes.wrap(text.getBytes(StandardCharsets.UTF_8))));
        if (json.isPresent()) {
            relink(key, text, owner, json.get(), referenced);
        }
    }

    private void relink(ObjectKey key, String text, String owner, byte[] json, RequestReason.Referenced referenced) {
        ObjectMetadata metadata = ObjectMetadata.of(json);
        var object = new Decoded(serialization, json);
        Optional<Owners> before = work.owners(text);
        List<String> owners = ownersOf(key, text, metadata, object, before);
        if (owners.contains(owner)) {
            requests.accept(
                    ControllerKey.parse(owner),
                    new RequestReason.SecondaryChanged(
                            text,
                            metadata.uid(),
                            metadata.resourceVersion(),
                            referenced.epoch(),
                            Origin.WATCH,
                            referenced.eventId(),
                            Optional.empty(),
                            object.tree()));
        } else {
            requests.accept(
                    ControllerKey.parse(owner),
                    new RequestReason.SecondaryRemoved(
                            text,
                            metadata.uid(),
                            metadata.resourceVersion(),
                            referenced.epoch(),
                            false,
                            referenced.eventId()));
        }
        String changedAt = before.map(Owners::changedAt).orElse(metadata.resourceVersion());
        work.put(text, new Owners(metadata.uid(), changedAt, owners, List.of(), false));
    }

    private void removed(String owner, String text, ObjectHeaders headers, boolean deleted) {
        requests.accept(
                ControllerKey.parse(owner),
                new RequestReason.SecondaryRemoved(
                        text, headers.uid(), headers.resourceVersion(), headers.epoch(), deleted, headers.eventId()));
    }

    /** If a controller's own code fails on the object, its owners of that controller are as before. */
    private List<String> ownersOf(
            ObjectKey key, String text, ObjectMetadata metadata, Decoded object, Optional<Owners> before) {
        var owners = new LinkedHashSet<String>();
        for (ControllerUnit unit : controllers.concerning(key)) {
            Links.primaries(unit.controller(), key, metadata, object)
                    .ifPresentOrElse(
                            primaries -> primaries.forEach(
                                    primary -> owners.add(new ControllerKey(unit.name(), primary).toString())),
                            () -> before.map(Owners::current).orElse(List.of()).stream()
                                    .filter(owner -> owner.startsWith(unit.name() + "/"))
                                    .forEach(owners::add));
            if (unit.isNaming()) {
                owners.addAll(work.references(text, unit.name()));
            }
        }
        return List.copyOf(owners);
    }
}
