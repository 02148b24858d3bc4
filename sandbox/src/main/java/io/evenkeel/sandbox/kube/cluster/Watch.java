package io.evenkeel.sandbox.kube.cluster;

import io.evenkeel.sandbox.kube.api.ApiFailure;
import io.evenkeel.sandbox.kube.store.Change;
import io.evenkeel.sandbox.kube.store.Stored;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One open watch: changes queue up on the writer's thread and are turned into frames on the reader's. A reader that
 * falls behind by more than the queue holds loses the watch, as on a real server; a writer never waits. Thread-safe.
 */
public final class Watch implements AutoCloseable {
    /** What may stand in the queue. */
    sealed interface Item {
        record Happened(Change change) implements Item {}

        record Present(Stored object) implements Item {}

        record Bookmark(long revision, boolean endOfInitialEvents) implements Item {}

        record Failed(ApiFailure failure) implements Item {}
    }

    private final ArrayDeque<Item> queue = new ArrayDeque<>();
    private final long start;
    private final Framer framer;
    private final Consumer<Watch> onClose;
    private int capacity;
    private Runnable wakeUp = () -> {};
    private boolean closed;
    private boolean ending;

    /**
     * @param start changes up to this revision are not shown
     * @param capacity how many changes a slow reader may be behind
     */
    Watch(long start, int capacity, Framer framer, Consumer<Watch> onClose) {
        this.start = start;
        this.capacity = capacity;
        this.framer = framer;
        this.onClose = onClose;
    }

    /** Calls {@code reader}, quickly and from any thread, whenever there may be something to {@link #poll}. */
    public void onReady(Runnable reader) {
        synchronized (this) {
            wakeUp = reader;
        }
        reader.run();
    }

    void accept(Change change) {
        if (change.revision() > start) {
            offer(new Item.Happened(change), true);
        }
    }

    /** Tells the client how far it is; never less than what it started from. */
    void bookmark(long revision) {
        if (revision >= start) {
            offer(new Item.Bookmark(revision, false), false);
        }
    }

    void offer(Item item, boolean bounded) {
        Runnable reader;
        synchronized (this) {
            if (closed || ending) {
                return;
            }
            if (bounded && queue.size() >= capacity) {
                queue.clear();
                ending = true;
            } else {
                queue.addLast(item);
                capacity += bounded ? 0 : 1; // what the watch starts with does not count as falling behind
            }
            reader = wakeUp;
        }
        reader.run();
    }

    /** Ends the stream after what is queued. */
    void end() {
        Runnable reader;
        synchronized (this) {
            ending = true;
            reader = wakeUp;
        }
        reader.run();
    }

    /** The next frame, with its line end; empty if there is none now. Its bytes are shared and must not be changed. */
    public Optional<byte[]> poll() {
        while (true) {
            Item item;
            synchronized (this) {
                item = queue.pollFirst();
            }
            if (item == null) {
                return Optional.empty();
            }
            Optional<byte[]> frame = framer.frame(item);
            if (frame.isPresent()) {
                return frame;
            }
        }
    }

    /** True once no frame will come any more. */
    public synchronized boolean isFinished() {
        return closed || (ending && queue.isEmpty());
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            queue.clear();
        }
        onClose.accept(this);
    }
}
