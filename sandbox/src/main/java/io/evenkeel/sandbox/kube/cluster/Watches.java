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
import java.util.ArrayList;
import java.util.List;
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
        checkOptions(request);
        long wanted = Reader.version(request, ApiFailure::internal);
        Start from = request.flag("sendInitialEvents")
                ? Start.STATE_WITH_MARK
                : wanted > 0
                        ? Start.POSITION
                        : request.query().containsKey("sendInitialEvents") ? Start.NOW : Start.STATE;
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
            if (!fillFirst(watch, call, prefix, wanted, from, bookmarks)) {
                watch.end();
                return watch;
            }
            open.put(watch, entry);
            store.follow(entry.type, entry.listener);
            return watch;
        });
    }

    /** What a client sees before live changes. */
    private enum Start {
        /** Every present object, and a bookmark that says that these were all. */
        STATE_WITH_MARK,
        /** Every present object. */
        STATE,
        /** Every change after the revision that it names. */
        POSITION,
        /** Nothing. */
        NOW
    }

    /** Queues what the client gets before live changes; false if the watch fails at once. */
    private boolean fillFirst(Watch watch, Call call, String prefix, long wanted, Start from, boolean bookmarks) {
        long current = store.revision();
        ObjectType type = call.resource().storage();
        switch (from) {
            case STATE_WITH_MARK, STATE -> {
                if (wanted > current) {
                    watch.offer(new Watch.Item.Failed(ApiFailure.tooLargeResourceVersion(wanted, current)), false);
                    return false;
                }
                store.list(type, prefix)
                        .objects()
                        .forEach(object -> watch.offer(new Watch.Item.Present(object), false));
                if (from == Start.STATE_WITH_MARK && bookmarks) {
                    watch.offer(new Watch.Item.Bookmark(current, true), false);
                }
            }
            case POSITION -> {
                if (wanted < store.compactedRevision()) {
                    watch.offer(new Watch.Item.Failed(ApiFailure.tooOld(wanted, store.compactedRevision())), false);
                    return false;
                }
                store.changesAfter(type, wanted).stream()
                        .filter(change -> change.after().key().startsWith(prefix))
                        .forEach(change -> watch.offer(new Watch.Item.Happened(change), false));
            }
            case NOW -> {}
        }
        return true;
    }

    private static void checkOptions(ApiRequest request) {
        String match = request.parameter("resourceVersionMatch");
        boolean initial = request.query().containsKey("sendInitialEvents");
        List<Violation> violations = new ArrayList<>();
        if (initial && !match.equals("NotOlderThan")) {
            violations.add(Violation.forbidden(
                    "resourceVersionMatch", "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
        }
        if (!match.isEmpty()) {
            if (!initial) {
                violations.add(Violation.forbidden(
                        "resourceVersionMatch",
                        "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"));
            }
            if (!match.equals("NotOlderThan")) {
                violations.add(Reader.unsupportedMatch(match, "\"NotOlderThan\""));
            }
        }
        if (!request.parameter("continue").isEmpty()) {
            violations.add(Reader.MATCH_WITH_CONTINUE);
        }
        Reader.refuse(violations);
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
