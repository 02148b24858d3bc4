package io.evenkeel.watcher.ownership;

import io.evenkeel.api.ShardKey;
import io.evenkeel.api.topic.Topic;
import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.state.BoundedMemory;
import io.evenkeel.state.OrderedStore;
import io.evenkeel.watcher.fold.Checkpoint;
import io.evenkeel.watcher.publish.Backlog;
import io.evenkeel.watcher.publish.PartitionPublisher;
import io.evenkeel.watcher.publish.PublishMetrics;
import io.evenkeel.watcher.publish.PublishSettings;
import io.evenkeel.watcher.publish.ShardInput;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns one partition from its assignment to its revocation, on a thread of its own. Taking over has an order: fence the
 * former owner, restore what it left, then watch. Whatever fails on the Kafka side leads back to the first step. Whoever
 * was fenced proves first that the partition is still its own: a process that was frozen must not fence its successor.
 */
public final class PartitionOwner {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionOwner.class);
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);
    /**
     * Long enough for a process that was replaced to hear of it from its group, and for Kafka to end what it ended by itself;
     * doubles each time. A successor of a dead process is not fenced and does not wait.
     */
    private static final Duration PAUSE_AFTER_FENCING = Duration.ofSeconds(10);

    private static final int MOST_DOUBLINGS = 4;
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(3);

    private final int partition;
    private final ClientFactory clients;
    private final TopicLayout layout;
    private final ShardFactory shards;
    private final PublishSettings settings;
    private final PublishMetrics metrics;
    private final BoundedMemory memory;
    private final Path folder;
    private final MembershipProof membership;
    private final Duration pauseAfterFencing;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Thread thread;
    private final Set<ShardKey> taken = new HashSet<>(); // guarded by itself
    private volatile Optional<PartitionPublisher> publisher = Optional.empty();
    private volatile Optional<RunningShards> running = Optional.empty();
    private int fencings;

    /** Owns nothing before it is started. */
    public PartitionOwner(
            int partition,
            ClientFactory clients,
            ShardFactory shards,
            PublishSettings settings,
            PublishMetrics metrics,
            BoundedMemory memory,
            Path folder,
            MembershipProof membership) {
        this(partition, clients, shards, settings, metrics, memory, folder, membership, PAUSE_AFTER_FENCING);
    }

    PartitionOwner(
            int partition,
            ClientFactory clients,
            ShardFactory shards,
            PublishSettings settings,
            PublishMetrics metrics,
            BoundedMemory memory,
            Path folder,
            MembershipProof membership,
            Duration pauseAfterFencing) {
        this.partition = partition;
        this.clients = clients;
        this.layout = clients.layout();
        this.shards = shards;
        this.settings = settings;
        this.metrics = metrics;
        this.memory = memory;
        this.folder = folder;
        this.membership = membership;
        this.pauseAfterFencing = pauseAfterFencing;
        // Not virtual: it calls into the native store, which would pin a carrier for as long.
        this.thread = Thread.ofPlatform()
                .name("watcher-partition-" + partition)
                .daemon()
                .unstarted(this::run);
    }

    void start() {
        adjust();
        thread.start();
    }

    /** Follows the shards that lie on the partition now, and no others; returns at once. */
    void adjust() {
        Map<ShardKey, ShardPlan> wanted = shards.shardsOf(partition);
        synchronized (taken) {
            taken.removeIf(shard -> {
                boolean isGone = !wanted.containsKey(shard);
                if (isGone) {
                    shards.released(shard);
                }
                return isGone;
            });
            wanted.keySet().stream().filter(taken::add).forEach(shards::taken);
        }
        running.ifPresent(current -> current.adjust(wanted));
    }

    /** Begins to let go: no further transaction is begun. */
    void stop() {
        stopped.countDown();
        publisher.ifPresent(PartitionPublisher::stop);
    }

    /** Waits until the open transaction has ended and everything is closed; after {@code patience}, breaks it off. */
    void join(Duration patience) throws InterruptedException {
        if (!thread.join(patience)) {
            LOG.atWarn().addKeyValue("partition", partition).log("partition does not let go in time; breaking off");
            thread.interrupt();
            thread.join(patience);
        }
        synchronized (taken) {
            taken.forEach(shards::released);
            taken.clear();
        }
    }

    private void run() {
        while (!isStopping()) {
            long began = System.nanoTime();
            try {
                own();
            } catch (ProducerFencedException | InvalidProducerEpochException e) {
                LOG.atWarn()
                        .addKeyValue("partition", partition)
                        .addKeyValue("cause", e.getMessage())
                        .log("fenced: another process took the partition, or Kafka ended an old transaction");
                Duration longest = pauseAfterFencing.multipliedBy(1L << MOST_DOUBLINGS);
                if (System.nanoTime() - began >= longest.toNanos()) {
                    fencings = 0; // it was undisputed for long
                }
                pause(pauseAfterFencing.multipliedBy(1L << Math.min(fencings, MOST_DOUBLINGS)));
                fencings++;
                if (!proveMembership()) {
                    return;
                }
            } catch (InterruptedException | InterruptException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (RuntimeException e) {
                if (!isStopping()) {
                    LOG.atWarn()
                            .addKeyValue("partition", partition)
                            .addKeyValue("cause", e.toString())
                            .log("partition failed; restoring it from the log");
                    pause(PAUSE_AFTER_FAILURE);
                }
            }
        }
    }

    private void own() throws InterruptedException {
        Producer<byte[], byte[]> producer = clients.producer(partition);
        boolean clean = false;
        try {
            initTransactions(producer);
            try (OrderedStore store = OrderedStore.open(folder, memory)) {
                Map<ShardKey, Checkpoint> checkpoints = restore(store);
                publish(producer, store, checkpoints);
            }
            clean = true;
        } finally {
            // Without waiting if it failed: what it left open is ended by the next one's initTransactions.
            producer.close(clean ? CLOSE_PATIENCE : Duration.ZERO);
        }
    }

    private void initTransactions(Producer<byte[], byte[]> producer) {
        while (!isStopping()) {
            try {
                producer.initTransactions();
                return;
            } catch (TimeoutException e) {
                LOG.atWarn()
                        .addKeyValue("partition", partition)
                        .log("Kafka does not answer; trying to take over again");
            }
        }
    }

    private Map<ShardKey, Checkpoint> restore(OrderedStore store) {
        long began = System.nanoTime();
        try (Consumer<byte[], byte[]> consumer = clients.restorer(partition)) {
            var watchState = new TopicPartition(layout.name(Topic.WATCH_STATE), partition);
            Map<ShardKey, Checkpoint> checkpoints = IndexRestore.run(consumer, watchState, store, () -> !isStopping());
            LOG.atInfo()
                    .addKeyValue("partition", partition)
                    .addKeyValue("shards", checkpoints.size())
                    .addKeyValue("millis", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began))
                    .log("partition restored");
            return checkpoints;
        }
    }

    private void publish(Producer<byte[], byte[]> producer, OrderedStore store, Map<ShardKey, Checkpoint> checkpoints)
            throws InterruptedException {
        var backlog = new Backlog<ShardInput.Addressed>(settings.backlogBytes());
        var current = new PartitionPublisher(
                settings, layout, partition, producer, backlog, metrics, shards.reports(partition));
        publisher = Optional.of(current);
        var following = new RunningShards(shards, store, checkpoints, backlog);
        try {
            if (isStopping()) {
                return;
            }
            running = Optional.of(following);
            adjust();
            current.run();
        } finally {
            publisher = Optional.empty();
            running = Optional.empty();
            backlog.close();
            following.end(CLOSE_PATIENCE);
        }
    }

    private boolean proveMembership() {
        try {
            while (!isStopping()) {
                if (membership.isProven(partition)) {
                    return true;
                }
                pause(PAUSE_AFTER_FAILURE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    private void pause(Duration duration) {
        try {
            if (stopped.await(duration.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.atDebug().addKeyValue("partition", partition).log("stopped while waiting");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isStopping() {
        return stopped.getCount() == 0 || Thread.currentThread().isInterrupted();
    }

    /** Asks the group coordinator. */
    public interface MembershipProof {
        /** Whether the partition is ours in the group's current generation; false if that cannot be told. */
        boolean isProven(int partition) throws InterruptedException;
    }
}
