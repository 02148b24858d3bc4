package io.evenkeel.worker.task;

import io.evenkeel.api.ControllerKey;
import io.evenkeel.api.ObjectKey;
import io.evenkeel.api.record.Cause;
import io.evenkeel.worker.attempt.LocalObject;
import io.evenkeel.worker.attempt.Snapshot;
import io.evenkeel.worker.ledger.KeyState;
import io.evenkeel.worker.ledger.LedgerEntry;
import io.evenkeel.worker.ledger.OwnWrite;
import io.evenkeel.worker.ledger.Primary;
import io.evenkeel.worker.ledger.Versions;
import io.evenkeel.worker.object.ObjectMetadata;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/** Takes snapshots from the stores. Used by the thread that owns the partition. */
final class Snapshots {
    private final ReadOnlyKeyValueStore<Bytes, byte[]> objects;
    private final WorkStore work;
    private final Overlay overlay;

    Snapshots(ReadOnlyKeyValueStore<Bytes, byte[]> objects, WorkStore work, Overlay overlay) {
        this.objects = objects;
        this.work = work;
        this.overlay = overlay;
    }

    /**
     * A snapshot, and the own writes that the stores do not show yet.
     *
     * @param snapshot for the attempt
     * @param unseen for the ledger
     */
    record Taken(Snapshot snapshot, List<OwnWrite> unseen) {}

    /** Empty if the primary is not in the store. */
    Optional<Taken> take(ControllerUnit unit, ControllerKey key, String text, LedgerEntry entry) {
        String primaryText = key.primary().toString();
        byte[] json = objects.get(Bytes.wrap(primaryText.getBytes(StandardCharsets.UTF_8)));
        if (json == null || !(entry.primary() instanceof Primary.Present(var sighting))) {
            return Optional.empty();
        }
        var primary = new LocalObject(primaryText, sighting.uid(), sighting.resourceVersion(), json);
        var secondaries = new TreeMap<String, LocalObject>();
        if (!unit.controller().secondaries().isEmpty()) {
            work.secondaries(text).forEach(secondary -> secondaries.put(secondary.key(), secondary));
        }
        Set<String> stale = withoutBody(primary, secondaries.values());
        var unseen = new ArrayList<OwnWrite>();
        for (OwnWrite write : entry.ownWrites()) {
            boolean isPrimary = write.key().equals(primaryText);
            if (isPrimary ? shows(primary, write) : !isOwned(unit, write) || showsSecondary(text, write)) {
                continue;
            }
            unseen.add(write);
            Optional<LocalObject> written = overlay.find(text, write.key(), write.resourceVersion());
            if (written.isEmpty()) {
                stale.add(write.key());
            } else if (isPrimary) {
                primary = written.get();
            } else {
                secondaries.put(write.key(), written.get());
            }
        }
        if (unseen.isEmpty()) {
            overlay.forget(text);
        }
        return Optional.of(new Taken(
                new Snapshot(
                        sighting,
                        primary,
                        List.copyOf(secondaries.values()),
                        stale,
                        entry.applied(),
                        entry.failures().count() + 1,
                        causes(entry)),
                unseen));
    }

    private static List<Cause> causes(LedgerEntry entry) {
        return switch (entry.state()) {
            case KeyState.Pending pending -> pending.causes();
            case KeyState.Running running -> running.causes();
            case KeyState.Idle idle -> List.of();
            case KeyState.Waiting waiting -> List.of();
            case KeyState.Parked parked -> List.of();
        };
    }

    /** An object that was too large for the log is there by name only: it is read from the API server. */
    private static Set<String> withoutBody(LocalObject primary, Iterable<LocalObject> secondaries) {
        var stale = new HashSet<String>();
        if (ObjectMetadata.of(primary.json()).resourceVersion().isEmpty()) {
            stale.add(primary.key());
        }
        for (LocalObject secondary : secondaries) {
            if (ObjectMetadata.of(secondary.json()).resourceVersion().isEmpty()) {
                stale.add(secondary.key());
            }
        }
        return stale;
    }

    private boolean showsSecondary(String text, OwnWrite write) {
        return work.secondary(text, write.key())
                .filter(stored -> !Versions.isAfter(write.resourceVersion(), stored.resourceVersion()))
                .isPresent();
    }

    private static boolean shows(LocalObject local, OwnWrite write) {
        return !Versions.isAfter(write.resourceVersion(), local.resourceVersion());
    }

    private static boolean isOwned(ControllerUnit unit, OwnWrite write) {
        ObjectKey key = ObjectKey.parse(write.key());
        return !unit.controller().secondaries(key.group(), key.kind()).isEmpty();
    }
}
