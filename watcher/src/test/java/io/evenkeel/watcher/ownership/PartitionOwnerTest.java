package io.evenkeel.watcher.ownership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.api.ResourceVersion;
import io.evenkeel.api.ShardKey;
import io.evenkeel.api.record.Selection;
import io.evenkeel.api.topic.Topic;
import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.state.BoundedMemory;
import io.evenkeel.watcher.fold.Checkpoint;
import io.evenkeel.watcher.health.ShardStatuses;
import io.evenkeel.watcher.health.StatusReports;
import io.evenkeel.watcher.publish.Backlog;
import io.evenkeel.watcher.publish.PublishMetrics;
import io.evenkeel.watcher.publish.PublishSettings;
import io.evenkeel.watcher.publish.ShardIndex;
import io.evenkeel.watcher.publish.ShardInput;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who owns a partition, on Kafka clients without Kafka. */
final class PartitionOwnerTest {
    private static final TopicLayout LAYOUT = TopicLayout.singleBroker(1);
    private static final ShardKey SHARD = new ShardKey("eu-1", "apps", "deployments");
    private static final PublishSettings SETTINGS =
            new PublishSettings(Duration.ofMillis(10), 100, 1 << 20, 100_000, 1 << 20, Duration.ofSeconds(10));

    @TempDir
    private Path folder;

    private final List<String> steps = new CopyOnWriteArrayList<>();
    private final Clients clients = new Clients();
    private final AtomicInteger questions = new AtomicInteger();
    private final BoundedMemory memory = new BoundedMemory(8 << 20);
    private volatile boolean member = true;
    private PartitionOwner owner;

    @BeforeEach
    void makeOwner() {
        owner = new PartitionOwner(
                0,
                clients,
                new Shards(),
                SETTINGS,
                new PublishMetrics(new SimpleMeterRegistry(), cluster -> true),
                memory,
                folder,
                partition -> {
                    questions.incrementAndGet();
                    return member;
                },
                Duration.ofMillis(1));
    }

    @AfterEach
    void stopOwner() throws InterruptedException {
        owner.stop();
        owner.join(Duration.ofSeconds(20));
        memory.close();
    }

    /** In the other order the former owner could still write after the restore, and the index would lack it. */
    @Test
    void givenAPartition_whenTakenOver_thenTheFormerOwnerIsFencedBeforeTheIndexIsReadAndWatched() {
        owner.start();

        await().untilAsserted(() -> assertThat(steps).containsExactly("taken", "fence", "restore", "watch"));
    }

    @Test
    void givenAFailureOfKafka_whenTheOwnerGoesOn_thenItFencesAndRestoresAnew() {
        owner.start();
        await().until(() -> steps.contains("watch"));

        clients.producer.failure = Optional.of(new KafkaException("lost"));
        clients.change();

        await().untilAsserted(() -> assertThat(steps)
                .containsExactly("taken", "fence", "restore", "watch", "end", "fence", "restore", "watch"));
        assertThat(questions).as("nobody took its place").hasValue(0);
    }

    /** It may have been frozen: whoever took its place must not be fenced in turn. */
    @Test
    void givenAnOwnerThatWasFenced_whenItCannotProveThatItIsStillAMember_thenItDoesNotFence() {
        member = false;
        owner.start();
        await().until(() -> steps.contains("watch"));

        clients.producer.fenceProducer();
        clients.change();

        await().until(() -> questions.get() >= 2);
        assertThat(steps).containsExactly("taken", "fence", "restore", "watch", "end");
        member = true;
        await().untilAsserted(() -> assertThat(steps)
                .containsExactly("taken", "fence", "restore", "watch", "end", "fence", "restore", "watch"));
    }

    @Test
    void givenAnOwnerThatWatches_whenItIsStopped_thenItsShardIsReleasedAndNothingIsFencedAgain() throws Exception {
        owner.start();
        await().until(() -> steps.contains("watch"));

        owner.stop();
        owner.join(Duration.ofSeconds(20));

        assertThat(steps).containsExactly("taken", "fence", "restore", "watch", "end", "released");
        assertThat(clients.producer.closed()).isTrue();
    }

    /** Notes what the owner does with them. */
    private final class Clients implements ClientFactory {
        private volatile Transactional producer = new Transactional();
        private volatile Optional<Runnable> change = Optional.empty();

        /** The watch sees something, so that a transaction begins. */
        void change() {
            change.orElseThrow().run();
        }

        @Override
        public TopicLayout layout() {
            return LAYOUT;
        }

        @Override
        public Producer<byte[], byte[]> producer(int partition) {
            producer = new Transactional();
            return producer;
        }

        @Override
        public Consumer<byte[], byte[]> restorer(int partition) {
            return new MockConsumer<>("earliest") {
                @Override
                public synchronized void assign(Collection<TopicPartition> partitions) {
                    steps.add("restore");
                    super.assign(partitions);
                    var watchState = new TopicPartition(LAYOUT.name(Topic.WATCH_STATE), partition);
                    updateBeginningOffsets(Map.of(watchState, 0L));
                    updateEndOffsets(Map.of(watchState, 0L));
                }
            };
        }

        @Override
        public Consumer<byte[], byte[]> member(Duration session) {
            throw new UnsupportedOperationException("the group is not part of this test");
        }
    }

    private final class Transactional extends MockProducer<byte[], byte[]> {
        private volatile Optional<RuntimeException> failure = Optional.empty();

        Transactional() {
            super(true, null, new ByteArraySerializer(), new ByteArraySerializer());
        }

        @Override
        public void initTransactions() {
            steps.add("fence");
            super.initTransactions();
        }

        @Override
        public void commitTransaction() {
            failure.ifPresent(reason -> {
                throw reason;
            });
            super.commitTransaction();
        }
    }

    /** One shard that is watched until the thread is interrupted. */
    private final class Shards implements ShardFactory {
        @Override
        public Map<ShardKey, ShardPlan> shardsOf(int partition) {
            return Map.of(SHARD, new ShardPlan(Selection.ALL, 1));
        }

        @Override
        public Runnable watch(
                ShardKey shard,
                Selection selection,
                ShardIndex index,
                Optional<Checkpoint> from,
                Backlog<ShardInput.Addressed> backlog,
                Semaphore pages) {
            return () -> {
                clients.change = Optional.of(() -> list(index, backlog));
                steps.add("watch");
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    steps.add("end");
                }
            };
        }

        @Override
        public StatusReports reports(int partition) {
            InstantSource clock = InstantSource.fixed(Instant.EPOCH);
            return new StatusReports(
                    partition,
                    List::of,
                    CompletableFuture.completedFuture(Set.of()),
                    new ShardStatuses(clock, shard -> 0),
                    clock,
                    "watch-status",
                    "this process");
        }

        @Override
        public void taken(ShardKey shard) {
            steps.add("taken");
        }

        @Override
        public void released(ShardKey shard) {
            steps.add("released");
        }
    }

    /** An empty list, whose end is committed at once. */
    private static void list(ShardIndex index, Backlog<ShardInput.Addressed> backlog) {
        try {
            backlog.put(new ShardInput.Addressed(
                    index, new ShardInput.ListStarted("v1", 1, "", Selection.ALL, Optional.empty())));
            backlog.put(new ShardInput.Addressed(
                    index,
                    new ShardInput.ListCompleted(new ResourceVersion(7), Instant.EPOCH, new CompletableFuture<>())));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
