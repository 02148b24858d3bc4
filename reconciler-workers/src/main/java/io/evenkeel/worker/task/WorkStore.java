package io.evenkeel.worker.task;

import io.evenkeel.worker.attempt.LocalObject;
import io.evenkeel.worker.ledger.ByteReader;
import io.evenkeel.worker.ledger.ByteWriter;
import io.evenkeel.worker.ledger.LedgerChangelog;
import io.evenkeel.worker.ledger.LedgerEntry;
import io.evenkeel.worker.ledger.LedgerFormat;
import io.evenkeel.worker.ledger.Primary;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The work of one partition in one store, so that it has one changelog: ledger entries, secondaries, owners, what primaries
 * name and by whom objects are named, graves and the holder, told apart by the first byte of the key. A grave names a record that is kept only against repetition, and
 * since when.
 * Used by the thread that owns the partition.
 *
 * <p>An entry changes more than once in one turn, for instance when its key gets a permit at once; it is written when the
 * turn is over, by {@link #writeEntries}. If the thread dies before, the turn's input is read again.
 */
final class WorkStore {
    private static final byte ENTRY = LedgerChangelog.ENTRY;
    private static final byte SECONDARY = 's';
    private static final byte OWNERS = 'o';
    private static final byte GRAVE = 'g';
    private static final byte HOLDER = 'h';
    private static final byte NAMED = 'n';
    private static final byte REFERENCE = 'r';
    private static final Bytes HOLDER_KEY = Bytes.wrap(new byte[] {HOLDER});
    private static final char SEPARATOR = '\0';

    private final KeyValueStore<Bytes, byte[]> store;
    private final Map<String, LedgerEntry> unwritten = new LinkedHashMap<>();

    WorkStore(KeyValueStore<Bytes, byte[]> store) {
        this.store = store;
    }

    LedgerEntry entry(String controllerKey) {
        LedgerEntry newest = unwritten.get(controllerKey);
        if (newest != null) {
            return newest;
        }
        return Optional.ofNullable(store.get(key(ENTRY, controllerKey)))
                .map(LedgerFormat::read)
                .orElse(LedgerEntry.NEW);
    }

    void put(String controllerKey, LedgerEntry entry) {
        unwritten.put(controllerKey, entry);
    }

    /** Writes the entries that changed in this turn. */
    void writeEntries() {
        unwritten.forEach((text, entry) -> store.put(key(ENTRY, text), LedgerFormat.write(entry)));
        unwritten.clear();
    }

    /** Who works on the partition, or did so and has not given it up. */
    Optional<String> holder() {
        return Optional.ofNullable(store.get(HOLDER_KEY)).map(name -> new String(name, StandardCharsets.UTF_8));
    }

    /** Notes that a process works on the partition. */
    void hold(String worker) {
        store.put(HOLDER_KEY, worker.getBytes(StandardCharsets.UTF_8));
    }

    /** Notes that the partition was given up in order. */
    void giveUp() {
        store.delete(HOLDER_KEY);
    }

    /** Visits every entry that has something to do. */
    void forEachBusy(BiConsumer<String, LedgerEntry> visitor) {
        writeEntries();
        scan(ENTRY, "", (text, bytes) -> {
            if (!LedgerFormat.isIdle(bytes)) {
                visitor.accept(text, LedgerFormat.read(bytes));
            }
        });
    }

    /** Visits the keys of a controller that have nothing to do. */
    void forEachIdle(String controller, Consumer<String> visitor) {
        writeEntries();
        scan(ENTRY, controller + "/", (text, bytes) -> {
            if (LedgerFormat.isIdle(bytes)) {
                visitor.accept(text);
            }
        });
    }

    Optional<StoredSecondary> secondary(String controllerKey, String secondaryKey) {
        return Optional.ofNullable(store.get(key(SECONDARY, controllerKey + SEPARATOR + secondaryKey)))
                .map(StoredSecondary::of);
    }

    void put(String controllerKey, String secondaryKey, StoredSecondary secondary) {
        store.put(key(SECONDARY, controllerKey + SEPARATOR + secondaryKey), secondary.toBytes());
    }

    /** All secondaries of a primary that are not gone, by key. */
    List<LocalObject> secondaries(String controllerKey) {
        var found = new ArrayList<LocalObject>();
        String prefix = controllerKey + SEPARATOR;
        scan(SECONDARY, prefix, (text, bytes) -> {
            StoredSecondary secondary = StoredSecondary.of(bytes);
            if (!secondary.gone()) {
                found.add(new LocalObject(
                        text.substring(prefix.length()),
                        secondary.uid(),
                        secondary.resourceVersion(),
                        secondary.json()));
            }
        });
        return found;
    }

    Optional<Owners> owners(String objectKey) {
        return Optional.ofNullable(store.get(key(OWNERS, objectKey))).map(Owners::of);
    }

    void put(String objectKey, Owners owners) {
        store.put(key(OWNERS, objectKey), owners.toBytes());
    }

    /** What a primary names. */
    Optional<Owners> named(String controllerKey) {
        return Optional.ofNullable(store.get(key(NAMED, controllerKey))).map(Owners::of);
    }

    void putNamed(String controllerKey, Owners named) {
        store.put(key(NAMED, controllerKey), named.toBytes());
    }

    /** Notes that an object is named by a primary. */
    void putReference(String objectKey, String controllerKey) {
        store.put(key(REFERENCE, objectKey + SEPARATOR + controllerKey), new byte[] {1});
    }

    void removeReference(String objectKey, String controllerKey) {
        store.delete(key(REFERENCE, objectKey + SEPARATOR + controllerKey));
    }

    /** Texts of the keys of a controller's primaries that name an object. */
    List<String> references(String objectKey, String controller) {
        var found = new ArrayList<String>();
        int from = objectKey.length() + 1;
        scan(REFERENCE, objectKey + SEPARATOR + controller + "/", (text, bytes) -> found.add(text.substring(from)));
        return found;
    }

    /** Notes that the entry of a key that is gone may be dropped some time after {@code since}. */
    void buryEntry(String controllerKey, Instant since) {
        bury(ENTRY, controllerKey, since);
    }

    /** As {@link #buryEntry}, for a secondary. */
    void burySecondary(String controllerKey, String secondaryKey, Instant since) {
        bury(SECONDARY, controllerKey + SEPARATOR + secondaryKey, since);
    }

    /** As {@link #buryEntry}, for owners. */
    void buryOwners(String objectKey, Instant since) {
        bury(OWNERS, objectKey, since);
    }

    /** As {@link #buryEntry}, for what a primary named. */
    void buryNamed(String controllerKey, Instant since) {
        bury(NAMED, controllerKey, since);
    }

    /** Drops what was buried before {@code limit} and has not come back to life since. */
    void dropBuriedBefore(Instant limit) {
        writeEntries();
        var due = new ArrayList<Bytes>();
        scanRaw(GRAVE, new byte[0], (key, bytes) -> {
            if (new ByteReader(bytes).readInstant().isBefore(limit)) {
                due.add(key);
            }
        });
        for (Bytes grave : due) {
            Bytes buried = Bytes.wrap(Arrays.copyOfRange(grave.get(), 1, grave.get().length));
            Optional.ofNullable(store.get(buried))
                    .filter(bytes -> isDead(buried.get()[0], bytes))
                    .ifPresent(bytes -> store.delete(buried));
            store.delete(grave);
        }
    }

    private static boolean isDead(byte sort, byte[] bytes) {
        return switch (sort) {
            case ENTRY -> LedgerFormat.isIdle(bytes) && isWorthNothing(LedgerFormat.read(bytes));
            case SECONDARY -> StoredSecondary.of(bytes).gone();
            case OWNERS, NAMED -> Owners.of(bytes).gone();
            default -> false;
        };
    }

    private static boolean isWorthNothing(LedgerEntry idle) {
        return switch (idle.primary()) {
            case Primary.Gone gone -> true;
            case Primary.Left left -> idle.failures().count() == 0 && !idle.letter();
            case Primary.Unseen unseen -> false;
            case Primary.Present present -> false;
        };
    }

    private void bury(byte sort, String text, Instant since) {
        var out = new ByteWriter(16);
        out.writeInstant(since);
        byte[] buried = key(sort, text).get();
        byte[] grave = new byte[buried.length + 1];
        grave[0] = GRAVE;
        System.arraycopy(buried, 0, grave, 1, buried.length);
        store.put(Bytes.wrap(grave), out.toBytes());
    }

    private void scan(byte sort, String prefix, BiConsumer<String, byte[]> visitor) {
        scanRaw(
                sort,
                prefix.getBytes(StandardCharsets.UTF_8),
                (key, bytes) ->
                        visitor.accept(new String(key.get(), 1, key.get().length - 1, StandardCharsets.UTF_8), bytes));
    }

    private void scanRaw(byte sort, byte[] prefix, BiConsumer<Bytes, byte[]> visitor) {
        byte[] full = new byte[prefix.length + 1];
        full[0] = sort;
        System.arraycopy(prefix, 0, full, 1, prefix.length);
        try (KeyValueIterator<Bytes, byte[]> found = store.prefixScan(full, new ByteArraySerializer())) {
            while (found.hasNext()) {
                KeyValue<Bytes, byte[]> next = found.next();
                visitor.accept(next.key, next.value);
            }
        }
    }

    private static Bytes key(byte sort, String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        byte[] key = new byte[utf8.length + 1];
        key[0] = sort;
        System.arraycopy(utf8, 0, key, 1, utf8.length);
        return Bytes.wrap(key);
    }
}
