package io.evenkeel.watcher.publish;

import io.evenkeel.api.ObjectKey;
import io.evenkeel.api.ResourceVersion;
import io.evenkeel.api.record.Gap;
import io.evenkeel.api.topic.Topic;
import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.watcher.fold.Checkpoint;
import io.evenkeel.watcher.fold.Emission;
import io.evenkeel.watcher.fold.Life;
import io.evenkeel.watcher.fold.ObjectFold;
import io.evenkeel.watcher.fold.ObjectState;
import io.evenkeel.watcher.fold.Sighting;
import io.evenkeel.watcher.frame.ScannedObject;
import io.evenkeel.watcher.health.StatusReports;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes what the watches of one partition's shards see, folds it against the index, and puts events, objects, index and
 * positions on the log in one transaction. A lone change is committed at once; while more is waiting, a transaction is
 * filled up to its limits.
 *
 * <p>The local index is written as it goes. That is safe because a transaction that fails ends the publisher, and its
 * successor restores the index from the log: there is never an index that is ahead of it.
 */
public final class PartitionPublisher {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionPublisher.class);
    private static final Duration IDLE = Duration.ofMillis(500);

    private final PublishSettings settings;
    private final EventRecords records;
    private final Backlog<ShardInput.Addressed> backlog;
    private final Transaction transaction;
    private final PublishMetrics metrics;
    private final StatusReports reports;
    private final Unsettled unsettled;
    private final String watchState;
    private final int partition;
    private final Set<ShardIndex> moved = new LinkedHashSet<>();
    private final List<CompletableFuture<Boolean>> awaitingCommit = new ArrayList<>();
    private final LoggedOnce unnameable = new LoggedOnce();
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final AtomicLong lastCommitNanos = new AtomicLong(System.nanoTime());

    /**
     * @param partition of {@code watch-state}
     * @param producer after {@code initTransactions}; only this publisher uses it
     * @param reports what is to be said of the shards beside their changes
     */
    public PartitionPublisher(
            PublishSettings settings,
            TopicLayout layout,
            int partition,
            Producer<byte[], byte[]> producer,
            Backlog<ShardInput.Addressed> backlog,
            PublishMetrics metrics,
            StatusReports reports) {
        this.settings = settings;
        this.records = new EventRecords(layout, settings.maxRecordBytes());
        this.backlog = backlog;
        this.transaction = new Transaction(producer);
        this.metrics = metrics;
        this.reports = reports;
        this.unsettled = new Unsettled(shard -> reports.progress(shard.key()));
        this.watchState = layout.name(Topic.WATCH_STATE);
        this.partition = partition;
    }

    /**
     * Publishes until {@link #stop} is called; what was begun is then committed, what still waits is not.
     *
     * @throws org.apache.kafka.common.KafkaException if a transaction failed; the index must be restored
     */
    public void run() throws InterruptedException {
        while (!stopping.get()) {
            Optional<ShardInput.Addressed> next = backlog.poll(transaction.isOpen() ? Duration.ZERO : IDLE);
            next.ifPresent(entry -> apply(entry.shard(), entry.input()));
            if (transaction.isOpen() && (next.isEmpty() || isFull())) {
                commit();
            } else if (next.isEmpty() && (checkpointsAreDue() || reports.areDue())) {
                commit();
            } else if (next.isEmpty()) {
                unsettled.settle(); // what was read again, and known already, needs no transaction
            }
        }
        commit();
    }

    /** Ends {@link #run} after the transaction that is open. Callable from any thread. */
    public void stop() {
        stopping.set(true);
        backlog.close();
    }

    private void apply(ShardIndex shard, ShardInput input) {
        input.readAt().ifPresent(at -> unsettled.add(shard, at));
        switch (input) {
            case ShardInput.ListStarted started -> {
                shard.startList(started);
                move(shard, shard.listingCheckpoint());
            }
            case ShardInput.Listed(ScannedObject object, Instant observedAt) -> {
                boolean first = shard.knownCheckpoint().neverListed();
                fold(shard, object, new Sighting.Listed(life(shard, object), first), observedAt);
            }
            case ShardInput.ListCompleted completed -> completeList(shard, completed);
            case ShardInput.Upserted(
                    ScannedObject object,
                    Instant observedAt,
                    boolean late,
                    ResourceVersion resume) -> {
                fold(shard, object, new Sighting.Upserted(life(shard, object), late), observedAt);
                move(shard, shard.knownCheckpoint().at(resume));
            }
            case ShardInput.Deleted(ScannedObject object, Instant observedAt, ResourceVersion resume) -> {
                fold(shard, object, new Sighting.Deleted(life(shard, object)), observedAt);
                move(shard, shard.knownCheckpoint().at(resume));
            }
            case ShardInput.Bookmark(ResourceVersion resume) ->
                move(shard, shard.knownCheckpoint().at(resume));
            case ShardInput.Joined(CompletableFuture<Optional<Checkpoint>> checkpoint) ->
                checkpoint.complete(shard.checkpoint());
        }
    }

    private void completeList(ShardIndex shard, ShardInput.ListCompleted completed) {
        ShardInput.ListStarted started = shard.runningList();
        boolean compared = shard.forEachMissing((entryKey, object, value) -> {
            ObjectState known = new ObjectState.Known(WatchState.decodeLife(value));
            ObjectFold.Step step = ObjectFold.fold(known, new Sighting.Missing(started.epoch()));
            for (Emission emission : step.emissions()) {
                send(shard, object, started.version(), emission, Optional.empty(), completed.observedAt());
            }
            store(shard, entryKey, known, step.state());
            if (isFull()) {
                commit();
            }
        });
        if (compared) {
            long before = shard.knownCheckpoint().resourceVersion().value();
            var gap = new Gap(
                    shard.key().cluster(),
                    started.epoch(),
                    shard.key().group(),
                    shard.key().resource(),
                    before == 0 ? Optional.empty() : Optional.of(Long.toString(before)),
                    completed.resourceVersion().toString(),
                    started.gap().orElse(Checkpoint.FIRST_LIST),
                    started.selection().marker(),
                    completed.observedAt());
            transaction.send(records.gap(shard.key(), gap));
            metrics.gap(shard.key());
        }
        move(
                shard,
                new Checkpoint(
                        started.epoch(),
                        started.clusterIdentity(),
                        started.selection(),
                        completed.resourceVersion(),
                        Optional.empty()));
        awaitingCommit.add(completed.committed());
        if (!transaction.isOpen()) {
            commit();
        }
    }

    private void fold(ShardIndex shard, ScannedObject object, Sighting sighting, Instant observedAt) {
        ObjectKey key;
        try {
            key = new ObjectKey(
                    shard.key().cluster(), shard.key().group(), object.kind(), object.namespace(), object.name());
        } catch (IllegalArgumentException e) {
            // No API server accepts such a name; if one does, its one object must not hold up all others.
            if (unnameable.isFirst(object.uid())) {
                LOG.atError()
                        .addKeyValue("shard", shard.key())
                        .addKeyValue("uid", object.uid())
                        .setCause(e)
                        .log("object has no valid key; it is left out");
            }
            return;
        }
        byte[] entryKey = WatchState.key(shard.key(), key);
        if (sighting instanceof Sighting.Listed) {
            shard.markListed(entryKey);
        }
        ObjectState before = shard.find(entryKey);
        ObjectFold.Step step = ObjectFold.fold(before, sighting);
        for (Emission emission : step.emissions()) {
            send(
                    shard,
                    key,
                    object.version(),
                    emission,
                    emission.sighted() ? Optional.of(object) : Optional.empty(),
                    observedAt);
        }
        store(shard, entryKey, before, step.state());
    }

    private void send(
            ShardIndex shard,
            ObjectKey key,
            String version,
            Emission emission,
            Optional<ScannedObject> sighted,
            Instant observedAt) {
        var about = new EventRecords.About(
                shard.key(), key, version, shard.knownCheckpoint().selection());
        records.of(about, emission, sighted, observedAt).forEach(transaction::send);
        metrics.event(shard.key(), emission.type());
        reports.progress(shard.key()).event(observedAt);
    }

    private void store(ShardIndex shard, byte[] entryKey, ObjectState before, ObjectState after) {
        if (after.equals(before)) {
            return;
        }
        switch (after) {
            case ObjectState.Known(Life life) -> {
                byte[] value = WatchState.encode(life);
                transaction.send(new ProducerRecord<>(watchState, partition, entryKey, value));
                shard.put(entryKey, value);
            }
            case ObjectState.Unknown unknown -> {
                transaction.send(new ProducerRecord<>(watchState, partition, entryKey, null));
                shard.remove(entryKey);
            }
        }
    }

    private void move(ShardIndex shard, Checkpoint next) {
        shard.moveTo(next);
        if (shard.isUnwritten()) {
            moved.add(shard);
        }
    }

    private boolean isFull() {
        return transaction.isOpen()
                && (transaction.records() >= settings.transactionRecords()
                        || transaction.bytes() >= settings.transactionBytes()
                        || transaction.age().compareTo(settings.transactionAge()) >= 0);
    }

    private boolean checkpointsAreDue() {
        return !moved.isEmpty()
                && System.nanoTime() - lastCommitNanos.get()
                        >= settings.checkpointInterval().toNanos();
    }

    private void commit() {
        for (ShardIndex shard : moved) {
            transaction.send(new ProducerRecord<>(
                    watchState, partition, WatchState.key(shard.key()), WatchState.encode(shard.knownCheckpoint())));
        }
        reports.take().forEach(transaction::send);
        if (transaction.isOpen()) {
            int sent = transaction.records();
            long bytes = transaction.bytes();
            transaction.commit(() -> !stopping.get());
            metrics.committed(sent, bytes, transaction.age());
        }
        moved.forEach(ShardIndex::markWritten);
        moved.clear();
        lastCommitNanos.set(System.nanoTime());
        unsettled.settle();
        awaitingCommit.forEach(committed -> committed.complete(true));
        awaitingCommit.clear();
    }

    private static Life life(ShardIndex shard, ScannedObject object) {
        return new Life(
                shard.knownCheckpoint().epoch(),
                object.uid(),
                object.resourceVersion(),
                object.generation(),
                object.hashes());
    }
}
