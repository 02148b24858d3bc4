package io.evenkeel.worker.ledger;

import io.evenkeel.api.ObjectKey;
import io.evenkeel.api.record.AttemptOutcome;
import io.evenkeel.api.record.Write;
import java.util.ArrayList;
import java.util.List;

/** Keeps what an attempt wrote: which events are its own, and which intents need not be sent again. */
final class OutcomeWrites {
    private OutcomeWrites() {}

    static LedgerEntry remember(LedgerEntry entry, Sighting primary, AttemptOutcome outcome, Seen seen) {
        if (outcome.writes().isEmpty()) {
            return entry;
        }
        var expected = new ArrayList<>(entry.ownWrites());
        var applied = new ArrayList<>(entry.applied());
        for (Write write : outcome.writes()) {
            if (isUnseen(write, primary, outcome.primary(), seen)) {
                write.resourceVersion()
                        .map(version -> new OwnWrite(write.key(), version))
                        .ifPresent(expected::add);
            }
            if (write.verb().equals("apply") || write.verb().equals("delete")) {
                applied.removeIf(intent -> intent.key().equals(write.key()));
            }
            if (write.verb().equals("apply")) {
                applied.add(new Applied(write.key(), write.uid().orElse(""), write.hash()));
            }
        }
        return entry.expecting(expected).having(applied);
    }

    /** A Kubernetes Event tells people something: nobody waits for it to come back. */
    private static boolean isEvent(Write write) {
        return ObjectKey.parse(write.key()).group().equals("events.k8s.io");
    }

    private static boolean isUnseen(Write write, Sighting primary, String primaryKey, Seen seen) {
        String version = write.resourceVersion().orElse("");
        if (version.isEmpty() || isEvent(write)) {
            return false;
        }
        if (write.key().equals(primaryKey)) {
            return Versions.isAfter(version, primary.resourceVersion());
        }
        List<String> versions = seen.changes().stream()
                .filter(change -> change.key().equals(write.key())
                        && !change.resourceVersion().isEmpty())
                .map(Seen.Change::resourceVersion)
                .toList();
        return versions.stream().allMatch(seenVersion -> Versions.isAfter(version, seenVersion));
    }
}
