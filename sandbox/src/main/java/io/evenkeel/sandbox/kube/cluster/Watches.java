package io.evenkeel.sandbox.kube.cluster;

import io.evenkeel.sandbox.kube.api.ApiFailure;
import io.evenkeel.sandbox.kube.api.ApiRequest;
import io.evenkeel.sandbox.kube.api.Selector;
import io.evenkeel.sandbox.kube.schema.Violation;
import io.evenkeel.sandbox.kube.store.Change;
import io.evenkeel.sandbox.kube.store.ObjectType;
import io.evenkeel.sandbox.kube.store.Store;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

/** The open watches of one cluster: starts them, sends bookmarks, ends them in time. Thread-safe. */
final class Watches {
    /** How far a slow reader may be behind before its watch ends. */
    private static final int QUEUE = 1_000;

    private static final Duration BOOKMARK_INTERVAL = Duration.ofSeconds(60);
    private static final Duration LAST_BOOKMARK_BEFORE_END = Duration.ofSeconds(2);
    private static final int SHORTEST_DEFAULT_SECONDS = 1_800;

    private static final class Open {
        final ObjectType type;
        final Consumer<Change> listener;
        final boolean bookmarks;
        final long endNanos;
        long nextBookmarkNanos;

        Open(ObjectType type, Consumer<Change> listener, boolean bookmarks, long seconds) {
            this.type = type;
            this.listener = listener;
            this.bookmarks = bookmarks;
            long now = System.nanoTime();
            endNanos = now + Duration.ofSeconds(seconds).toNanos();
            nextBookmarkNanos = now + BOOKMARK_INTERVAL.toNanos();
            long last = endNanos - LAST_BOOKMARK_BEFORE_END.toNanos();
            if (last - now > 0 && last - nextBookmarkNanos < 0) {
                nextBookmarkNanos = last;
            }
        }
    }

    private final Store store;
    private final Clock clock;
    private final Map<Watch, Open> open = new ConcurrentHashMap<>();

    Watches(Store store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    Watch start(Call call, ApiRequest request) {
        Selector selector =
                Selector.parse(request.parameter("labelSelector"), request.parameter("fieldSelector"), call.resource());
        boolean initial = request.flag("sendInitialEvents");
        checkOptions(request);
        long wanted = version(request.parameter("resourceVersion"));
        long seconds = request.number("timeoutSeconds").filter(s -> s > 0).orElseGet(() ->
                (long) (SHORTEST_DEFAULT_SECONDS + ThreadLocalRandom.current().nextInt(SHORTEST_DEFAULT_SECONDS)));
        Framer framer = new Framer(call.resource(), selector, request.form(), clock);
        boolean bookmarks = request.flag("allowWatchBookmarks");
        String prefix = Reader.prefix(call);
        return store.exclusively(() -> {
            Watch watch = new Watch(wanted, QUEUE, framer, this::closed);
            Open entry = new Open(
                    call.resource().storage(),
                    change -> {
                        if (change.after().key().startsWith(prefix)) {
                            watch.accept(change);
                        }
                    },
                    bookmarks,
                    seconds);
            if (!fillFirst(watch, call, prefix, wanted, initial, bookmarks)) {
                watch.end();
                return watch;
            }
            open.put(watch, entry);
            store.follow(entry.type, entry.listener);
            return watch;
        });
    }

    /** Queues what the client gets before live changes; false if the watch fails at once. */
    private boolean fillFirst(Watch watch, Call call, String prefix, long wanted, boolean initial, boolean bookmarks) {
        long current = store.revision();
        ObjectType type = call.resource().storage();
        if (initial && wanted > current) {
            watch.offer(new Watch.Item.Failed(ApiFailure.tooLargeResourceVersion(wanted, current)), false);
            return false;
        }
        if (initial || wanted == 0) {
            store.list(type, prefix).objects().forEach(object -> watch.offer(new Watch.Item.Present(object), false));
            if (initial && bookmarks) {
                watch.offer(new Watch.Item.Bookmark(current, true), false);
            }
            return true;
        }
        if (wanted < store.compactedRevision()) {
            watch.offer(new Watch.Item.Failed(ApiFailure.tooOld(wanted, store.compactedRevision())), false);
            return false;
        }
        store.changesAfter(type, wanted).stream()
                .filter(change -> change.after().key().startsWith(prefix))
                .forEach(change -> watch.offer(new Watch.Item.Happened(change), false));
        return true;
    }

    private static long version(String text) {
        try {
            return text.isEmpty() ? 0 : Long.parseUnsignedLong(text);
        } catch (NumberFormatException e) {
            throw ApiFailure.internal("resourceVersion: Invalid value: \"" + text + "\": strconv.ParseUint: parsing \""
                    + text + "\": invalid syntax");
        }
    }

    private static void checkOptions(ApiRequest request) {
        String match = request.parameter("resourceVersionMatch");
        boolean initial = request.query().containsKey("sendInitialEvents");
        if (initial && !match.equals("NotOlderThan")) {
            throw Reader.refused(Violation.forbidden(
                    "resourceVersionMatch", "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
        }
        if (!initial && !match.isEmpty()) {
            throw Reader.refused(Violation.forbidden(
                    "resourceVersionMatch",
                    "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"));
        }
    }

    private void closed(Watch watch) {
        Open entry = open.remove(watch);
        if (entry != null) {
            store.unfollow(entry.type, entry.listener);
        }
    }

    /** Ends the watches of a type that is no longer served. */
    void endAll(ObjectType type) {
        open.forEach((watch, entry) -> {
            if (entry.type.equals(type)) {
                watch.end();
            }
        });
    }

    void endAll() {
        open.keySet().forEach(Watch::end);
    }

    int count() {
        return open.size();
    }

    /** Called a few times a second: sends bookmarks that are due and ends watches whose time is over. */
    void tick() {
        long now = System.nanoTime();
        open.forEach((watch, entry) -> {
            if (now - entry.endNanos >= 0) {
                watch.end();
            } else if (entry.bookmarks && now - entry.nextBookmarkNanos >= 0) {
                entry.nextBookmarkNanos = now + BOOKMARK_INTERVAL.toNanos();
                store.exclusively(() -> {
                    watch.offer(new Watch.Item.Bookmark(store.revision(), false), false);
                    return watch;
                });
            }
        });
    }
}
