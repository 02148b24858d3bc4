package io.evenkeel.watcher.publish;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.evenkeel.api.ObjectKey;
import io.evenkeel.api.ResourceVersion;
import io.evenkeel.api.ShardKey;
import io.evenkeel.state.OrderedStore;
import io.evenkeel.watcher.fold.Checkpoint;
import io.evenkeel.watcher.fold.ObjectState;
import java.util.ArrayList;
import java.util.Optional;

/**
 * What is known of one shard: its checkpoint, its objects in the partition's store, and during a list which of them were
 * in it, in the same store so that a list of a million objects needs no heap. Used by its publisher's thread only.
 */
public final class ShardIndex {
    private static final byte OBJECT = 'o';
    private static final byte LISTED = 'l';

    private final ShardKey key;
    private final OrderedStore store;
    private final byte[] prefix;
    private Optional<Checkpoint> checkpoint;
    private Optional<Checkpoint> written;
    private Optional<Listing> running = Optional.empty();

    /** @param checkpoint as restored; empty if the shard was never listed */
    public ShardIndex(ShardKey key, OrderedStore store, Optional<Checkpoint> checkpoint) {
        this.key = key;
        this.store = store;
        this.prefix = WatchState.prefix(key);
        this.checkpoint = checkpoint;
        this.written = checkpoint;
    }

    /** The shard. */
    public ShardKey key() {
        return key;
    }

    /** Key in the store of an entry of {@code watch-state}; the restore writes there what it reads. */
    public static byte[] storeKey(byte[] watchStateKey) {
        return prefixed(OBJECT, watchStateKey);
    }

    Optional<Checkpoint> checkpoint() {
        return checkpoint;
    }

    Checkpoint knownCheckpoint() {
        return checkpoint.orElseThrow(() -> new IllegalStateException("shard " + key + " was never listed"));
    }

    void moveTo(Checkpoint next) {
        checkpoint = Optional.of(next);
    }

    boolean isUnwritten() {
        return !checkpoint.equals(written);
    }

    void markWritten() {
        written = checkpoint;
    }

    ObjectState find(byte[] entryKey) {
        return store.get(storeKey(entryKey))
                .map(WatchState::decodeLife)
                .<ObjectState>map(ObjectState.Known::new)
                .orElseGet(ObjectState.Unknown::new);
    }

    void put(byte[] entryKey, byte[] value) {
        store.put(storeKey(entryKey), value);
    }

    void remove(byte[] entryKey) {
        store.delete(storeKey(entryKey));
    }

    boolean isEmpty() {
        var first = new ArrayList<byte[]>(1);
        store.scan(prefixed(OBJECT, prefix), (entryKey, value) -> {
            first.add(entryKey);
            return false;
        });
        return first.isEmpty();
    }

    /**
     * Begins a list and forgets what an unfinished one held. An empty shard needs no tracking: nothing can turn out to be
     * missing.
     */
    void startList(ShardInput.ListStarted started) {
        running = Optional.of(new Listing(started, !isEmpty()));
        store.deleteAll(prefixed(LISTED, prefix));
    }

    ShardInput.ListStarted runningList() {
        return listing().started();
    }

    /** The checkpoint while the list runs: whoever takes over now has to list again. */
    Checkpoint listingCheckpoint() {
        ShardInput.ListStarted started = runningList();
        String reason = started.gap().orElse(Checkpoint.FIRST_LIST);
        return checkpoint
                .filter(former -> former.epoch() == started.epoch())
                .orElse(new Checkpoint(
                        started.epoch(),
                        started.clusterIdentity(),
                        started.selection(),
                        new ResourceVersion(0),
                        Optional.empty()))
                .seeing(started.selection())
                .mustRelist(reason);
    }

    void markListed(byte[] entryKey) {
        if (listing().tracked()) {
            store.put(prefixed(LISTED, entryKey), new byte[0]);
        }
    }

    /**
     * Calls {@code visitor} for every object that is known but was not in the list, in the order of keys.
     *
     * @return whether there was anything to compare the list with
     */
    boolean forEachMissing(MissingVisitor visitor) {
        if (!listing().tracked()) {
            return knownCheckpoint().resourceVersion().value() > 0;
        }
        byte[] objects = prefixed(OBJECT, prefix);
        store.scan(objects, (storeKey, value) -> {
            byte[] entryKey = new byte[storeKey.length - 1];
            System.arraycopy(storeKey, 1, entryKey, 0, entryKey.length);
            if (store.get(prefixed(LISTED, entryKey)).isEmpty()) {
                visitor.visit(entryKey, WatchState.object(storeKey, objects.length), value);
            }
            return true;
        });
        store.deleteAll(prefixed(LISTED, prefix));
        return true;
    }

    private Listing listing() {
        return running.orElseThrow(() -> new IllegalStateException("no list of " + key + " has begun"));
    }

    private static byte[] prefixed(byte kind, byte[] key) {
        byte[] prefixed = new byte[key.length + 1];
        prefixed[0] = kind;
        System.arraycopy(key, 0, prefixed, 1, key.length);
        return prefixed;
    }

    @Override
    public String toString() {
        return new String(prefix, UTF_8);
    }

    /**
     * The list that runs, or ran last.
     *
     * @param started how it began
     * @param tracked whether it is noted which objects it held
     */
    private record Listing(ShardInput.ListStarted started, boolean tracked) {}

    /** Receives objects that a list did not hold. */
    @FunctionalInterface
    interface MissingVisitor {
        void visit(byte[] entryKey, ObjectKey object, byte[] value);
    }
}
