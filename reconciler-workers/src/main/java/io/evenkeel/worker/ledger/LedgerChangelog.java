package io.evenkeel.worker.ledger;

import io.evenkeel.api.ControllerKey;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** What others may read of the changelog of a worker's store: the entries that have something to do. */
public final class LedgerChangelog {
    /** First byte of the key of an entry; other records have others. */
    public static final byte ENTRY = 'e';

    private static final String SUFFIX = "-work-changelog";

    private LedgerChangelog() {}

    /** Whether a topic is such a changelog. */
    public static boolean isNameOf(String topic) {
        return topic.endsWith(SUFFIX);
    }

    /** The key of an entry; empty if the record is something else. */
    public static Optional<ControllerKey> key(byte[] key) {
        return key.length > 1 && key[0] == ENTRY
                ? Optional.of(ControllerKey.parse(new String(key, 1, key.length - 1, StandardCharsets.UTF_8)))
                : Optional.empty();
    }

    /**
     * The entry, if it has something to do.
     *
     * @throws UnknownFormatException if a newer program wrote it
     */
    public static Optional<LedgerEntry> busy(byte[] value) {
        return LedgerFormat.isIdle(value) ? Optional.empty() : Optional.of(LedgerFormat.read(value));
    }
}
