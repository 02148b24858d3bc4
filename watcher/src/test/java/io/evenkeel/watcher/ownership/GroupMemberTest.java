package io.evenkeel.watcher.ownership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.api.topic.Topic;
import io.evenkeel.api.topic.TopicLayout;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** A member of the group, on a consumer without Kafka that polls when it is told to. */
class GroupMemberTest {
    private static final TopicLayout LAYOUT = TopicLayout.singleBroker(1);
    private static final TopicPartition PARTITION = new TopicPartition(LAYOUT.name(Topic.WATCH_STATE), 0);

    private final Turning consumer = new Turning();
    private final List<Integer> asked = new CopyOnWriteArrayList<>();

    /** Whoever takes it for followed at once takes a process for ready that watches nothing yet. */
    @Test
    void givenAMember_whenItsShardsChange_thenTheChangeCountsAsFollowedOnlyWhenTheOwnersWereAsked() {
        try (var member = new GroupMember(new Clients(), (partition, membership) -> {
            asked.add(partition);
            return Optional.empty();
        })) {
            member.start();
            consumer.turn(2);
            await().until(member::hasJoined);
            assertThat(member.hasFollowedChanges()).isTrue();
            int before = asked.size();

            member.shardsChanged();
            assertThat(member.hasFollowedChanges()).isFalse();
            consumer.turn(2);
            await().until(member::hasFollowedChanges);
            assertThat(asked).hasSize(before + 1).containsOnly(0);
            consumer.turn(1_000);
        }
    }

    private static final class Turning extends MockConsumer<byte[], byte[]> {
        private final Semaphore turns = new Semaphore(0);
        private boolean assigned;

        Turning() {
            super("earliest");
        }

        void turn(int times) {
            turns.release(times);
        }

        @Override
        @SuppressWarnings("UnsynchronizedOverridesSynchronized") // what waits here must not hold up a wakeup
        public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
            turns.acquireUninterruptibly();
            if (!assigned) {
                assigned = true;
                updateBeginningOffsets(Map.of(PARTITION, 0L));
                rebalance(List.of(PARTITION));
            }
            return super.poll(timeout);
        }
    }

    private final class Clients implements ClientFactory {
        @Override
        public TopicLayout layout() {
            return LAYOUT;
        }

        @Override
        public Producer<byte[], byte[]> producer(int partition) {
            throw new UnsupportedOperationException("nobody owns anything here");
        }

        @Override
        public Consumer<byte[], byte[]> restorer(int partition) {
            throw new UnsupportedOperationException("nobody owns anything here");
        }

        @Override
        public Consumer<byte[], byte[]> member(Duration session) {
            return consumer;
        }
    }
}
