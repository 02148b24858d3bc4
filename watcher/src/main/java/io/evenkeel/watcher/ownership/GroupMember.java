package io.evenkeel.watcher.ownership;

import io.evenkeel.api.topic.Topic;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidSessionTimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps this process in the group that shares the partitions of {@code watch-state}, and starts and ends the owners of
 * those it gets. It reads no records: the group protocol is all that is used of its consumer.
 */
public final class GroupMember implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GroupMember.class);
    private static final Duration POLL = Duration.ofMillis(100);

    /** Whoever dies is missed after it: with what comes behind, its shards are others' within 5 s. */
    static final Duration SESSION = Duration.ofSeconds(3);

    /** The shortest that brokers take whose {@code group.min.session.timeout.ms} nobody has set. */
    static final Duration LONGER_SESSION = Duration.ofSeconds(6);

    private static final Duration PROOF_PATIENCE = Duration.ofSeconds(10);
    private static final Duration REVOKE_PATIENCE = Duration.ofSeconds(5);
    private static final Duration STOP_PATIENCE = Duration.ofMillis(2_500);
    private static final Duration LEAVE_PATIENCE = Duration.ofSeconds(1);

    private final ClientFactory clients;
    private final String watchState;
    private final OwnerFactory ownerFactory;
    private final Map<Integer, PartitionOwner> owners = new HashMap<>();
    private final BlockingQueue<Question> questions = new LinkedBlockingQueue<>();
    private final Thread thread;
    private final AtomicLong changes = new AtomicLong();
    private volatile long changesFollowed;
    private volatile boolean closing;
    private volatile boolean joined;
    private volatile Consumer<byte[], byte[]> consumer;
    private boolean longer; // the group's thread's own

    /** Joins nothing before {@link #start}. */
    public GroupMember(ClientFactory clients, OwnerFactory ownerFactory) {
        this.clients = clients;
        this.consumer = clients.member(SESSION);
        this.watchState = clients.layout().name(Topic.WATCH_STATE);
        this.ownerFactory = ownerFactory;
        this.thread = Thread.ofPlatform().name("watcher-group").daemon().unstarted(this::run);
    }

    /** Joins the group; partitions come in the background. */
    public void start() {
        thread.start();
    }

    /** The owners follow other shards from now on, and partitions that had none may have some; returns at once. */
    public void shardsChanged() {
        changes.incrementAndGet();
    }

    /** Whether the owners follow the shards of the last {@link #shardsChanged}: only then each of them has a status. */
    public boolean hasFollowedChanges() {
        return changesFollowed == changes.get();
    }

    /** Whether the group has answered once. */
    public boolean hasJoined() {
        return joined;
    }

    /** Lets all partitions go, then leaves the group; returns within a few seconds even if Kafka does not answer. */
    @Override
    public void close() {
        closing = true;
        consumer.wakeup();
        try {
            thread.join(STOP_PATIENCE.multipliedBy(3));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            consumer.subscribe(List.of(watchState), new Listener());
            while (!closing) {
                try {
                    if (!consumer.poll(POLL).isEmpty()) {
                        LOG.atDebug().log("records came although all partitions are paused");
                    }
                    answerQuestions();
                    adjustShards();
                } catch (WakeupException e) {
                    LOG.atDebug().log("woken up to close");
                } catch (InterruptException e) {
                    return;
                } catch (InvalidSessionTimeoutException e) {
                    if (longer) {
                        waitOn(e); // the settings ask for it
                    } else {
                        joinWithLongerSession();
                    }
                } catch (KafkaException e) {
                    waitOn(e);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            letGo(List.copyOf(owners.keySet()), STOP_PATIENCE);
            consumer.close(CloseOptions.timeout(LEAVE_PATIENCE));
        }
    }

    private static void waitOn(KafkaException failure) throws InterruptedException {
        LOG.atWarn().addKeyValue("cause", failure.toString()).log("watcher group fails; trying again");
        TimeUnit.SECONDS.sleep(1);
    }

    private void joinWithLongerSession() {
        LOG.atInfo()
                .addKeyValue("sessionMillis", LONGER_SESSION.toMillis())
                .log("the brokers take no session as short as ours; lower their group.min.session.timeout.ms to"
                        + " have the shards of a process that dies move sooner");
        consumer.close(CloseOptions.timeout(LEAVE_PATIENCE));
        consumer = clients.member(LONGER_SESSION);
        longer = true;
        consumer.subscribe(List.of(watchState), new Listener());
    }

    /** Called by an owner's thread. */
    private boolean isProven(int partition) throws InterruptedException {
        var question = new Question(partition, new CompletableFuture<>());
        questions.add(question);
        try {
            return question.answer().get(PROOF_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            return false;
        }
    }

    /** A commit of an offset succeeds only for a member of the current generation; what it says is of no use to anyone. */
    private void answerQuestions() {
        for (Question question = questions.poll(); question != null; question = questions.poll()) {
            try {
                var asked = new TopicPartition(watchState, question.partition());
                if (!owners.containsKey(question.partition())) {
                    question.answer().complete(false);
                    continue;
                }
                consumer.commitSync(Map.of(asked, new OffsetAndMetadata(0)));
                question.answer().complete(true);
            } catch (KafkaException e) {
                LOG.atDebug().addKeyValue("cause", e.toString()).log("membership is not proven");
                question.answer().complete(false);
            }
        }
    }

    private void adjustShards() {
        long seen = changes.get();
        if (seen != changesFollowed) {
            owners.values().forEach(PartitionOwner::adjust);
            numbers(consumer.assignment()).forEach(this::own);
            changesFollowed = seen;
        }
    }

    private void own(int partition) {
        if (!owners.containsKey(partition)) {
            ownerFactory.owner(partition, this::isProven).ifPresent(owner -> {
                owners.put(partition, owner);
                owner.start();
            });
        }
    }

    private void letGo(Collection<Integer> partitions, Duration patience) {
        List<PartitionOwner> leaving = partitions.stream()
                .filter(owners::containsKey)
                .map(owners::remove)
                .toList();
        leaving.forEach(PartitionOwner::stop);
        for (PartitionOwner owner : leaving) {
            try {
                owner.join(patience);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static List<Integer> numbers(Collection<TopicPartition> partitions) {
        return partitions.stream().map(TopicPartition::partition).toList();
    }

    private final class Listener implements ConsumerRebalanceListener {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            consumer.pause(consumer.assignment());
            if (!partitions.isEmpty()) {
                LOG.atInfo().addKeyValue("partitions", numbers(partitions)).log("partitions assigned");
            }
            numbers(partitions).forEach(GroupMember.this::own);
            joined = true; // last: only now does every shard that is ours have a status
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            letGo(numbers(partitions), REVOKE_PATIENCE);
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            LOG.atWarn()
                    .addKeyValue("partitions", numbers(partitions))
                    .log("partitions lost: the group went on without us");
            letGo(numbers(partitions), STOP_PATIENCE);
        }
    }

    /** Makes the owner of a partition. */
    @FunctionalInterface
    public interface OwnerFactory {
        /** @return empty if no shard lies on the partition at the moment */
        java.util.Optional<PartitionOwner> owner(int partition, PartitionOwner.MembershipProof membership);
    }

    private record Question(int partition, CompletableFuture<Boolean> answer) {}
}
