package io.evenkeel.cli.explain;

import io.evenkeel.api.ControllerKey;
import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.cli.connection.From;
import io.evenkeel.cli.connection.TopicReader;
import io.evenkeel.runtime.kafka.KafkaSettings;
import io.evenkeel.runtime.kafka.TopicAdmin;
import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.process.StartupException;
import io.evenkeel.worker.ledger.KeyState;
import io.evenkeel.worker.ledger.LedgerChangelog;
import io.evenkeel.worker.ledger.LedgerEntry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The ledgers of all workers of an installation, read from their changelogs: no worker needs to run. */
final class Ledgers {
    private final KafkaSettings kafka;
    private final TopicLayout layout;

    Ledgers(KafkaSettings kafka, TopicLayout layout) {
        this.kafka = kafka;
        this.layout = layout;
    }

    /** Every key that has something to do. */
    Map<ControllerKey, LedgerEntry> busy() {
        Map<ControllerKey, LedgerEntry> busy = new HashMap<>();
        for (String changelog : changelogs()) {
            try (var reader = new TopicReader(kafka, changelog)) {
                reader.read(
                        new From.Beginning(),
                        false,
                        record -> {
                            LedgerChangelog.key(record.key())
                                    .ifPresent(key -> put(busy, key, Optional.ofNullable(record.value())));
                            return true;
                        },
                        () -> true);
            }
        }
        return busy;
    }

    private List<String> changelogs() {
        List<String> changelogs;
        try (var topics = new TopicAdmin(kafka, layout)) {
            changelogs = topics.names().stream()
                    .filter(name -> name.startsWith(layout.prefix()) && LedgerChangelog.isNameOf(name))
                    .sorted()
                    .toList();
        }
        if (changelogs.isEmpty()) {
            throw new StartupException(
                    ExitCode.ERROR,
                    "No worker has ever run on Kafka at " + kafka.bootstrapServers() + " with topics that begin with '"
                            + layout.prefix() + "'.");
        }
        return changelogs;
    }

    private static void put(Map<ControllerKey, LedgerEntry> busy, ControllerKey key, Optional<byte[]> value) {
        Optional<LedgerEntry> entry =
                value.flatMap(LedgerChangelog::busy).filter(found -> !(found.state() instanceof KeyState.Idle));
        entry.ifPresentOrElse(found -> busy.put(key, found), () -> busy.remove(key));
    }
}
