package io.evenkeel.sandbox.fault.stale;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/**
 * The past of one collection: how it was once, and every change since. Thread-safe.
 *
 * <p>Several objects can be deleted under one revision; such changes are seen together or not at all.
 *
 * <p>Keeps the newest 100,000 changes; older ones become part of how it was once.
 */
final class History {
    static final int MOST_CHANGES = 100_000;

    private final ReentrantLock lock = new ReentrantLock(); // a monitor would pin virtual threads before Java 24
    private final Condition grown = lock.newCondition();
    private final TreeMap<String, JsonNode> oldest = new TreeMap<>();
    private final Deque<Change> changes = new ArrayDeque<>();
    private long oldestRevision;
    private long edits;

    /**
     * The collection at one moment.
     *
     * @param revision of that moment
     * @param items in the order of their keys
     */
    record View(long revision, List<JsonNode> items) {}

    /** Starts over from a list. */
    void reset(long revision, Collection<JsonNode> items) {
        edit(() -> {
            oldest.clear();
            changes.clear();
            items.forEach(item -> oldest.put(Change.key(item), item));
            oldestRevision = revision;
        });
    }

    /** Adds what happened next. */
    void append(Change change) {
        edit(() -> {
            changes.addLast(change);
            if (changes.size() > MOST_CHANGES) {
                forgetOldest();
            }
        });
    }

    /** How the collection was before the newest changes, or as early as is known. */
    View before(int newest) {
        return read(() -> {
            Map<String, JsonNode> objects = new TreeMap<>(oldest);
            long revision = oldestRevision;
            for (Change change : withoutNewest(newest)) {
                apply(objects, change);
                revision = change.revision();
            }
            return new View(revision, List.copyOf(objects.values()));
        });
    }

    /** What changed after a moment, without the newest changes. */
    List<Change> after(long revision, int newest) {
        return read(() -> withoutNewest(newest).stream()
                .filter(change -> change.revision() > revision)
                .toList());
    }

    /** The earliest moment that is known. */
    long oldestRevision() {
        return read(() -> oldestRevision);
    }

    /** Grows with every edit. */
    long edits() {
        return read(() -> edits);
    }

    /** Waits until there was an edit after {@code seen} of them, or the time is up. */
    void awaitEdit(long seen, Duration atMost) throws InterruptedException {
        lock.lock();
        try {
            long left = atMost.toNanos();
            while (edits == seen && left > 0) {
                left = grown.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    private void forgetOldest() {
        oldestRevision = changes.getFirst().revision();
        while (!changes.isEmpty() && changes.getFirst().revision() == oldestRevision) {
            apply(oldest, changes.removeFirst());
        }
    }

    /** No server shows a part of what happened under one revision and goes on behind it. */
    private List<Change> withoutNewest(int newest) {
        List<Change> all = List.copyOf(changes);
        int shown = Math.max(0, all.size() - newest);
        if (shown < all.size()) {
            long withheld = all.get(shown).revision();
            while (shown > 0 && all.get(shown - 1).revision() == withheld) {
                shown--;
            }
        }
        return all.subList(0, shown);
    }

    private static void apply(Map<String, JsonNode> objects, Change change) {
        if (change.type().equals("DELETED")) {
            objects.remove(change.key());
        } else {
            objects.put(change.key(), change.object());
        }
    }

    private void edit(Runnable change) {
        lock.lock();
        try {
            change.run();
            edits++;
            grown.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private <T> T read(Supplier<T> reader) {
        lock.lock();
        try {
            return reader.get();
        } finally {
            lock.unlock();
        }
    }
}
