package io.evenkeel.sandbox.kube.store;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * All objects of one cluster with one growing revision, and the changes of a bounded window of history. Thread-safe:
 * one lock per store; listeners are called under it, in revision order, and must not block.
 */
public final class Store {
    /** Objects of one type, the changes to them that are still remembered, and who follows them. */
    private static final class Shelf {
        final NavigableMap<String, Stored> objects = new TreeMap<>();
        final ArrayDeque<Change> history = new ArrayDeque<>();
        final CopyOnWriteArrayList<Consumer<Change>> listeners = new CopyOnWriteArrayList<>();
    }

    /**
     * Objects at one revision.
     *
     * @param expired true if the revision is older than the history window; there are no objects then
     */
    public record Slice(long revision, List<Stored> objects, boolean expired) {}

    /** So many changes are kept as they came, for those who follow closely; older ones are packed. */
    private static final int NEW_CHANGES = 16;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<ObjectType, Shelf> shelves = new HashMap<>();
    private final ArrayDeque<Change> history = new ArrayDeque<>();
    private final List<Consumer<Change>> observers = new CopyOnWriteArrayList<>();
    private final ArrayDeque<Change> recent = new ArrayDeque<>();
    private final int window;
    private final Packing packing;
    private long revision;
    private long compacted;
    private Consumer<Change> journal = change -> {};

    /**
     * @param window how many changes are remembered for watches and paged lists, 1 or more
     * @param packing shared by the stores of a process
     */
    public Store(int window, Packing packing) {
        if (window < 1) {
            throw new IllegalArgumentException("the history window must be 1 or more but is " + window);
        }
        this.window = window;
        this.packing = packing;
    }

    /** Runs {@code work} with no write in between; the lock is reentrant. */
    public <T> T exclusively(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }

    public long revision() {
        return exclusively(() -> revision);
    }

    /** The newest revision that a watch can no longer start from: changes up to it are forgotten. */
    public long compactedRevision() {
        return exclusively(() -> compacted);
    }

    public Optional<Stored> find(ObjectType type, String key) {
        return exclusively(() -> Optional.ofNullable(shelf(type).objects.get(key)));
    }

    /** Creates or replaces an object; {@code body} gets the revision of the write. */
    public Stored put(ObjectType type, String key, LongFunction<byte[]> body) {
        return exclusively(() -> {
            Shelf shelf = shelf(type);
            Optional<Stored> before = Optional.ofNullable(shelf.objects.get(key));
            String shared = before.map(Stored::key).orElse(key);
            Stored after = new Stored(shared, revision + 1, body.apply(revision + 1));
            commit(new Change(type, before.isEmpty() ? Change.Kind.ADDED : Change.Kind.MODIFIED, before, after));
            return after;
        });
    }

    /** Removes an object that exists; {@code body} makes its last state from the revision of the deletion. */
    public Stored remove(ObjectType type, String key, LongFunction<byte[]> body) {
        return exclusively(() -> {
            Optional<Stored> before = Optional.ofNullable(shelf(type).objects.get(key));
            if (before.isEmpty()) {
                throw new IllegalStateException("no " + type + " " + key);
            }
            Stored last = new Stored(before.get().key(), revision + 1, body.apply(revision + 1));
            commit(new Change(type, Change.Kind.DELETED, before, last));
            return last;
        });
    }

    /**
     * Removes objects that exist under one revision.
     *
     * @param body makes an object's last state from the one before and the revision of the deletion
     * @return the revision
     */
    public long removeTogether(ObjectType type, List<String> keys, BiFunction<Stored, Long, byte[]> body) {
        return exclusively(() -> {
            long together = revision + 1;
            for (String key : keys) {
                Stored before = Optional.ofNullable(shelf(type).objects.get(key))
                        .orElseThrow(() -> new IllegalStateException("no " + type + " " + key));
                Stored last = new Stored(before.key(), together, body.apply(before, together));
                commit(new Change(type, Change.Kind.DELETED, Optional.of(before), last));
            }
            return together;
        });
    }

    private void commit(Change change) {
        journal.accept(change);
        apply(change);
        shelf(change.type()).listeners.forEach(listener -> listener.accept(change));
        observers.forEach(observer -> observer.accept(change));
    }

    /** Takes over a change without telling anyone: the one path for live writes and for replay. */
    private void apply(Change change) {
        Shelf shelf = shelf(change.type());
        if (change.kind() == Change.Kind.DELETED) {
            shelf.objects.remove(change.after().key());
        } else {
            shelf.objects.put(change.after().key(), change.after());
        }
        revision = change.revision();
        history.addLast(change);
        shelf.history.addLast(change);
        recent.addLast(change);
        if (recent.size() > NEW_CHANGES) {
            recent.removeFirst().age(packing);
        }
        while (history.size() > window) {
            forgetOldest();
        }
    }

    private void forgetOldest() {
        Change oldest = history.removeFirst();
        shelf(oldest.type()).history.removeFirst();
        compacted = oldest.revision();
    }

    /** Forgets all history up to now, as a compaction of the database behind a real server does. */
    public void compact() {
        exclusively(() -> {
            while (!history.isEmpty()) {
                forgetOldest();
            }
            compacted = revision;
            return compacted;
        });
    }

    /** Lets the revision grow without a change, as writes to other types do. */
    public void advanceTo(long target) {
        exclusively(() -> revision = Math.max(revision, target));
    }

    /** The objects whose key starts with {@code prefix}, as they are now. */
    public Slice list(ObjectType type, String prefix) {
        return exclusively(() -> new Slice(
                revision, List.copyOf(below(shelf(type).objects, prefix).values()), false));
    }

    /** The objects as they were at {@code wanted}, which must not lie in the future. */
    public Slice listAt(ObjectType type, String prefix, long wanted) {
        return exclusively(() -> {
            if (wanted < compacted) {
                return new Slice(wanted, List.of(), true);
            }
            NavigableMap<String, Stored> state = new TreeMap<>(below(shelf(type).objects, prefix));
            var newestFirst = shelf(type).history.descendingIterator();
            while (newestFirst.hasNext()) {
                Change change = newestFirst.next();
                if (change.revision() <= wanted) {
                    break;
                }
                String key = change.after().key();
                if (key.startsWith(prefix)) {
                    state.remove(key);
                    change.before().ifPresent(before -> state.put(key, before));
                }
            }
            return new Slice(wanted, List.copyOf(state.values()), false);
        });
    }

    private static SortedMap<String, Stored> below(NavigableMap<String, Stored> objects, String prefix) {
        return prefix.isEmpty() ? objects : objects.subMap(prefix, prefix + Character.MAX_VALUE);
    }

    /** The remembered changes of a type after {@code position}, oldest first. */
    public List<Change> changesAfter(ObjectType type, long position) {
        return exclusively(() -> {
            List<Change> changes = new ArrayList<>();
            var newestFirst = shelf(type).history.descendingIterator();
            while (newestFirst.hasNext()) {
                Change change = newestFirst.next();
                if (change.revision() <= position) {
                    break;
                }
                changes.addFirst(change);
            }
            return changes;
        });
    }

    /** Calls {@code listener} for every change of a type from now on. */
    public void follow(ObjectType type, Consumer<Change> listener) {
        exclusively(() -> shelf(type).listeners.add(listener));
    }

    public void unfollow(ObjectType type, Consumer<Change> listener) {
        exclusively(() -> shelf(type).listeners.remove(listener));
    }

    /** Calls {@code observer} for every change of every type from now on. */
    public void observe(Consumer<Change> observer) {
        observers.add(observer);
    }

    /** All types that ever held an object. */
    public List<ObjectType> types() {
        return exclusively(() -> List.copyOf(shelves.keySet()));
    }

    public int size(ObjectType type) {
        return exclusively(() -> shelf(type).objects.size());
    }

    private Shelf shelf(ObjectType type) {
        return shelves.computeIfAbsent(type, t -> new Shelf());
    }

    // What follows belongs to the journal.

    void recordTo(Consumer<Change> recorder) {
        exclusively(() -> journal = recorder);
    }

    /** Restores an object as it was at the start of the history window. */
    void restore(ObjectType type, Stored object) {
        object.pack(type, packing);
        shelf(type).objects.put(object.key(), object);
    }

    void restorePosition(long position) {
        revision = position;
        compacted = position;
    }

    /** Applies a change from the journal; the state before it is known here and not written there. */
    void replay(ObjectType type, boolean deleted, Stored after) {
        Optional<Stored> before = Optional.ofNullable(shelf(type).objects.get(after.key()));
        Change.Kind kind = deleted ? Change.Kind.DELETED : before.isEmpty() ? Change.Kind.ADDED : Change.Kind.MODIFIED;
        apply(new Change(type, kind, before, after));
    }

    List<Change> window() {
        return List.copyOf(history);
    }
}
