package io.evenkeel.watcher.watch;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.evenkeel.api.ResourceVersion;
import io.evenkeel.api.ShardKey;
import io.evenkeel.api.record.Selection;
import io.evenkeel.api.record.ShardState;
import io.evenkeel.watcher.connection.Answer;
import io.evenkeel.watcher.connection.ClusterConnection;
import io.evenkeel.watcher.connection.Discovered;
import io.evenkeel.watcher.connection.ResourceType;
import io.evenkeel.watcher.connection.SilentServerException;
import io.evenkeel.watcher.fold.Checkpoint;
import io.evenkeel.watcher.fold.StreamPosition;
import io.evenkeel.watcher.frame.ListPage;
import io.evenkeel.watcher.frame.ListPageReader;
import io.evenkeel.watcher.frame.MalformedFrameException;
import io.evenkeel.watcher.frame.ObjectScanner;
import io.evenkeel.watcher.frame.Redactions;
import io.evenkeel.watcher.frame.ScannedObject;
import io.evenkeel.watcher.frame.WatchFrame;
import io.evenkeel.watcher.frame.WatchFrameReader;
import io.evenkeel.watcher.health.ShardProgress;
import io.evenkeel.watcher.health.ShardStatuses;
import io.evenkeel.watcher.publish.Backlog;
import io.evenkeel.watcher.publish.ShardIndex;
import io.evenkeel.watcher.publish.ShardInput;
import java.io.IOException;
import java.net.URLEncoder;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows one shard on a thread of its own until that is interrupted: finds the resource, lists it if need be, watches it,
 * and resumes for ever. It only reads and hands on; what an object's state is worth is decided behind the backlog, and its
 * own idea of the position starts from what is durable and goes forward with what the backlog took.
 */
public final class ShardWatch {
    private static final Logger LOG = LoggerFactory.getLogger(ShardWatch.class);
    private static final Duration ABSENT_PATIENCE = Duration.ofSeconds(2);
    private static final Duration LONGEST_ABSENT_PATIENCE = Duration.ofSeconds(32);
    private static final Duration CLOSED_PATIENCE = Duration.ofSeconds(1);
    private static final int EXPIRED_LISTS_BEFORE_UNPAGED = 2;

    private final ShardKey shard;
    private final Selection selection;
    private final ClusterConnection connection;
    private final ShardIndex index;
    private final Semaphore pages;
    private final Backlog<ShardInput.Addressed> backlog;
    private final ShardStatuses statuses;
    private final ShardProgress progress;
    private final WatchSettings settings;
    private final Redactions redactions;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final Backoff backoff;
    private Optional<ResourceType> type = Optional.empty();
    private Instant typeDoubted = Instant.MIN;
    private Duration absentPatience = ABSENT_PATIENCE;
    private Optional<StreamPosition> position = Optional.empty();
    private Optional<String> gap = Optional.empty();
    private long epoch = 1;
    private String identity = "";
    private int expiredLists;
    private boolean watchedBefore;

    /**
     * @param selection what is watched of the resource
     * @param index whose inputs these are; only handed on
     * @param restored durable position, if there is one
     * @param pages limits how many pages are read at once by all that share the backlog
     * @param redactions applied to what is read before anything else sees it
     */
    public ShardWatch(
            ShardKey shard,
            Selection selection,
            ClusterConnection connection,
            ShardIndex index,
            Optional<Checkpoint> restored,
            Backlog<ShardInput.Addressed> backlog,
            Semaphore pages,
            ShardStatuses statuses,
            WatchSettings settings,
            Redactions redactions,
            InstantSource clock,
            RandomGenerator random) {
        this.shard = shard;
        this.selection = selection;
        this.pages = pages;
        this.connection = connection;
        this.index = index;
        this.backlog = backlog;
        this.statuses = statuses;
        this.progress = statuses.progress(shard);
        this.settings = settings;
        this.redactions = redactions;
        this.clock = clock;
        this.random = random;
        this.backoff = new Backoff(random);
        restored.ifPresent(checkpoint -> {
            epoch = checkpoint.epoch();
            identity = checkpoint.clusterIdentity();
            gap = checkpoint.relist().or(() -> reselected(checkpoint.selection()));
            if (gap.isEmpty()) {
                position = Optional.of(StreamPosition.complete(checkpoint.resourceVersion()));
            }
        });
    }

    /** Why the watch cannot resume although nothing happened to it; what it saw is not what it shall see. */
    private Optional<String> reselected(Selection former) {
        return former.equals(selection)
                ? Optional.empty()
                : Optional.of("selection changed from " + former + " to " + selection);
    }

    /** Follows the shard until the thread is interrupted. */
    public void follow() {
        progress.begin();
        statuses.set(shard, ShardState.SYNCING, "");
        try {
            while (!Thread.currentThread().isInterrupted()) {
                try {
                    step();
                } catch (RefusedException e) {
                    refused(e);
                } catch (IOException e) {
                    unreachable(String.valueOf(e.getMessage()), Optional.empty());
                } catch (MalformedFrameException e) {
                    unreachable("the API server sent what is no Kubernetes JSON: " + e.getMessage(), Optional.empty());
                } catch (RuntimeException e) {
                    // The position moved only with what was handed on, so trying again is safe whatever went wrong.
                    LOG.atError().addKeyValue("shard", shard).setCause(e).log("watch failed; trying again");
                    unreachable("failed: " + e, Optional.empty());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the way to end
        }
    }

    private void step() throws IOException, InterruptedException {
        if (type.isEmpty() && !discover()) {
            return;
        }
        checkIdentity();
        if (position.isPresent() && isServerBehind(position.get().resume())) {
            return;
        }
        boolean cameOn = position.isEmpty() ? list() : watch();
        if (!cameOn) {
            pause(Optional.empty()); // a server that ends all at once must not be asked in a loop
        }
    }

    private boolean discover() throws IOException, InterruptedException {
        return switch (connection.discover(shard.group(), shard.resource(), typeDoubted)) {
            case Discovered.Present(ResourceType found)
            when !found.namespaced() && selection.namespace().isPresent() -> {
                statuses.set(
                        shard,
                        ShardState.FORBIDDEN,
                        "its objects lie in no namespace, so those of namespace "
                                + selection.namespace().get() + " cannot be watched; drop it from watcher.resources, or"
                                + " the namespace");
                connection.awaitDefinitions(LONGEST_ABSENT_PATIENCE);
                yield false;
            }
            case Discovered.Present(ResourceType found) -> {
                type = Optional.of(found);
                absentPatience = ABSENT_PATIENCE;
                yield true;
            }
            case Discovered.Absent absent -> {
                gone();
                yield false;
            }
            case Discovered.Refused refused ->
                throw new RefusedException("discover", refused.status(), refused.retryAfter());
        };
    }

    private void gone() throws InterruptedException {
        statuses.set(shard, ShardState.GONE, "the API server does not have this resource");
        if (position.isPresent()) {
            relist("resource was gone");
        }
        type = Optional.empty();
        connection.awaitDefinitions(absentPatience);
        absentPatience = absentPatience.compareTo(LONGEST_ABSENT_PATIENCE) < 0
                ? absentPatience.multipliedBy(2)
                : LONGEST_ABSENT_PATIENCE;
    }

    private void relist(String reason) {
        position = Optional.empty();
        gap = Optional.of(reason);
        LOG.atInfo().addKeyValue("shard", shard).addKeyValue("cause", reason).log("watch cannot resume; listing");
    }

    private void checkIdentity() throws IOException, InterruptedException {
        String found = connection.identity().orElse("");
        if (!found.isEmpty() && !identity.isEmpty() && !found.equals(identity)) {
            epoch++;
            relist("another cluster answers under this address");
        }
        if (!found.isEmpty()) {
            identity = found;
        }
    }

    /**
     * A watch from the future is silent for ever. So the server must prove that it has come as far as we have: either it
     * lags and will catch up, or its data was restored to an older state and a new epoch begins.
     */
    private boolean isServerBehind(ResourceVersion resume) throws IOException, InterruptedException {
        String path = present().path(selection.namespace()) + "?limit=1"; // of any label: it is about the server
        String atLeast = path + "&resourceVersion=" + resume + "&resourceVersionMatch=NotOlderThan";
        try (Answer answer = connection.open("probe", atLeast, settings.silence())) {
            if (answer.status() == 200) {
                return false;
            }
            if (answer.status() == 410) {
                relist("410 Expired");
                return false;
            }
            if (!answer.small().hasCause("ResourceVersionTooLarge")) {
                throw new RefusedException("list", answer.status(), answer.retryAfter());
            }
        }
        try (Answer answer = connection.open("probe", path, settings.silence())) {
            if (answer.status() != 200) {
                throw new RefusedException("list", answer.status(), answer.retryAfter());
            }
            String current = answer.small().text("metadata", "resourceVersion");
            if (resume.isAfter(ResourceVersion.parse(current))) {
                epoch++;
                relist("resourceVersion went back from " + resume + " to " + current);
                return false;
            }
        }
        unreachable("the API server lags behind what it showed before", Optional.empty());
        return true;
    }

    /** False if the list expired. */
    private boolean list() throws IOException, InterruptedException {
        statuses.set(shard, ShardState.SYNCING, gap.orElse("first list"));
        try {
            hand(new ShardInput.ListStarted(present().version(), epoch, identity, selection, gap));
            Optional<ResourceVersion> version = pages();
            if (version.isEmpty()) {
                return false;
            }
            var committed = new CompletableFuture<Boolean>();
            hand(new ShardInput.ListCompleted(version.get(), clock.instant(), committed));
            committed.get();
            progress.proven(clock.instant());
            position = version.map(StreamPosition::complete);
            gap = Optional.empty();
            expiredLists = 0;
            backoff.reset();
            return true;
        } catch (ExecutionException e) {
            throw new IllegalStateException("nobody fails this future", e);
        } finally {
            if (position.isEmpty() && gap.isEmpty()) {
                gap = Optional.of(Checkpoint.FIRST_LIST);
            }
        }
    }

    /** Reads all pages; empty if the list expired and must begin again. */
    private Optional<ResourceVersion> pages() throws IOException, InterruptedException {
        ObjectScanner scanner = scanner();
        // A list that keeps expiring between its pages is longer than the server's memory: then all at once.
        boolean paged = expiredLists < EXPIRED_LISTS_BEFORE_UNPAGED;
        String first = collection() + (paged ? "limit=" + settings.pageSize() : "");
        String path = first;
        Optional<String> version = Optional.empty();
        while (true) {
            pages.acquire();
            try (Answer answer = openPage(path)) {
                if (answer.status() == 410) {
                    expiredLists++;
                    return Optional.empty();
                }
                if (answer.status() != 200) {
                    throw new RefusedException("list", answer.status(), answer.retryAfter());
                }
                ListPage page = new ListPageReader(answer.body()).read(item -> {
                    ScannedObject object = scanner.scan(item, 0, item.length);
                    hand(new ShardInput.Listed(object, clock.instant()));
                });
                if (version.isPresent() && !version.get().equals(page.resourceVersion())) {
                    throw new IOException("the pages of a list are of different versions");
                }
                version = Optional.of(page.resourceVersion());
                if (page.continueToken().isEmpty()) {
                    return version.map(ResourceVersion::parse);
                }
                path = first + "&continue=" + URLEncoder.encode(page.continueToken(), UTF_8);
            } finally {
                pages.release();
            }
        }
    }

    /**
     * The limit of the cluster counts until the answer begins, not until it is read: who waits for Kafka must not hold up
     * the shards of other partitions.
     */
    private Answer openPage(String path) throws IOException, InterruptedException {
        connection.lists().acquire();
        try {
            return connection.open("list", path, settings.silence());
        } finally {
            connection.lists().release();
        }
    }

    /** Path and begin of the query of what is watched. */
    private String collection() {
        return present().path(selection.namespace()) + "?"
                + selection
                        .labels()
                        .map(labels -> "labelSelector=" + URLEncoder.encode(labels, UTF_8) + "&")
                        .orElse("");
    }

    /** False if the watch ended before anything came. */
    private boolean watch() throws IOException, InterruptedException {
        long seconds = settings.shortestWatch().toSeconds();
        String path = collection() + "watch=1&allowWatchBookmarks=true&resourceVersion="
                + position.orElseThrow().resume() + "&timeoutSeconds=" + (seconds + random.nextLong(seconds + 1));
        try (Answer answer = connection.open("watch", path, settings.silence())) {
            if (answer.status() == 410) {
                relist("410 Expired");
                return true;
            }
            if (answer.status() != 200) {
                throw new RefusedException("watch", answer.status(), answer.retryAfter());
            }
            if (watchedBefore) {
                connection.countReconnect();
            }
            watchedBefore = true;
            progress.proven(clock.instant());
            statuses.set(shard, ShardState.LIVE, "");
            var frames = new WatchFrameReader(answer.body(), scanner());
            boolean something = false;
            try {
                while (true) {
                    Optional<WatchFrame> frame = frames.next();
                    if (frame.isEmpty()) {
                        connection.doubtIdentity();
                        return something;
                    }
                    if (!apply(frame.get())) {
                        return true;
                    }
                    progress.proven(clock.instant());
                    something = true;
                    backoff.reset();
                }
            } catch (SilentServerException e) {
                answer.suspectConnection();
                throw e;
            }
        }
    }

    private boolean apply(WatchFrame frame) throws InterruptedException, IOException {
        StreamPosition before = position.orElseThrow();
        switch (frame) {
            case WatchFrame.Upserted(ScannedObject object) -> {
                boolean late = before.isLate(object.resourceVersion(), object.uid());
                StreamPosition after = before.after(object.resourceVersion());
                hand(new ShardInput.Upserted(object, clock.instant(), late, after.resume()));
                position = Optional.of(after);
            }
            case WatchFrame.Deleted(ScannedObject object) -> {
                StreamPosition after = before.afterEnd(object.resourceVersion(), object.uid());
                hand(new ShardInput.Deleted(object, clock.instant(), after.resume()));
                position = Optional.of(after);
            }
            case WatchFrame.Bookmark(ResourceVersion version) -> {
                StreamPosition after = before.bookmark(version);
                hand(new ShardInput.Bookmark(after.resume()));
                position = Optional.of(after);
            }
            case WatchFrame.Failed(int code, String reason) -> {
                if (code != 410) {
                    throw new IOException("the watch ended with " + code + " " + reason);
                }
                relist("410 " + reason);
                return false;
            }
        }
        return true;
    }

    private void hand(ShardInput input) throws InterruptedException {
        input.readAt().ifPresent(progress::read);
        if (!backlog.put(new ShardInput.Addressed(index, input))) {
            throw new InterruptedException("the partition is given up");
        }
    }

    private void refused(RefusedException e) throws InterruptedException {
        switch (e.status()) {
            case 401, 403 -> {
                String name = shard.resource() + (shard.group().isEmpty() ? "" : "." + shard.group());
                statuses.set(
                        shard,
                        ShardState.FORBIDDEN,
                        "cluster " + shard.cluster() + " refuses " + e.verb() + " on " + name + " (" + e.status()
                                + "). Grant list and watch on it, or drop it from watcher.resources");
                pause(e.retryAfter());
            }
            case 404 -> {
                // An aggregated API may answer so for a moment; only discovery tells that a resource is gone.
                type = Optional.empty();
                typeDoubted = clock.instant();
                unreachable("answered 404 to " + e.verb(), e.retryAfter());
            }
            default -> unreachable("answered " + e.status() + " to " + e.verb(), e.retryAfter());
        }
    }

    private void unreachable(String detail, Optional<Duration> retryAfter) throws InterruptedException {
        if (connection.isClosed()) {
            Thread.sleep(CLOSED_PATIENCE); // the cluster was removed: whoever follows the shard is about to be ended
            return;
        }
        connection.doubtIdentity();
        statuses.set(shard, ShardState.UNREACHABLE, detail);
        pause(retryAfter);
    }

    private void pause(Optional<Duration> atLeast) throws InterruptedException {
        Duration own = backoff.next();
        Thread.sleep(atLeast.filter(asked -> asked.compareTo(own) > 0).orElse(own));
    }

    private ResourceType present() {
        return type.orElseThrow(() -> new IllegalStateException("resource of " + shard + " was not discovered"));
    }

    private ObjectScanner scanner() {
        ResourceType current = present();
        return new ObjectScanner(
                current.apiVersion(), current.kind(), redactions.of(current.group(), current.plural()));
    }

    /** The API server answered, but not with what was asked for. */
    private static final class RefusedException extends IOException {
        private static final long serialVersionUID = 1L;

        private final String verb;
        private final int status;
        private final transient Optional<Duration> retryAfter;

        RefusedException(String verb, int status, Optional<Duration> retryAfter) {
            super("the API server answered " + status + " to " + verb);
            this.verb = verb;
            this.status = status;
            this.retryAfter = retryAfter;
        }

        String verb() {
            return verb;
        }

        int status() {
            return status;
        }

        Optional<Duration> retryAfter() {
            return retryAfter;
        }
    }
}
