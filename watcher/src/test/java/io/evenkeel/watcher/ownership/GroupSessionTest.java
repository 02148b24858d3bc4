package io.evenkeel.watcher.ownership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.api.topic.Topic;
import io.evenkeel.api.topic.TopicLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidSessionTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** With which session a process joins its group, on a consumer without Kafka. */
final class GroupSessionTest {
    private static final TopicLayout LAYOUT = TopicLayout.singleBroker(1);
    private static final TopicPartition PARTITION = new TopicPartition(LAYOUT.name(Topic.WATCH_STATE), 0);

    private final List<Duration> sessions = new CopyOnWriteArrayList<>();
    private final List<MockConsumer<byte[], byte[]>> consumers = new CopyOnWriteArrayList<>();
    private final List<Integer> owned = new CopyOnWriteArrayList<>();
    private final Clients clients = new Clients();
    private final List<GroupMember> opened = new ArrayList<>();

    @AfterEach
    void leave() {
        opened.forEach(GroupMember::close);
    }

    @Test
    void givenBrokersThatTakeAShortSession_whenJoining_thenItIsShorterThanAShardMayTakeToMove() {
        GroupMember member = start();

        assign(consumers.getFirst());

        await().until(member::hasJoined);
        assertThat(sessions)
                .singleElement()
                .satisfies(session -> assertThat(session).isLessThan(Duration.ofSeconds(5)));
        assertThat(owned).containsExactly(0);
    }

    /** They refuse it unless somebody has allowed it to them. */
    @Test
    void givenBrokersThatRefuseAShortSession_whenJoining_thenItJoinsWithOneThatAllTake() {
        clients.refuseFirst = true;
        GroupMember member = start();

        await().until(() ->
                consumers.size() == 2 && !consumers.getLast().subscription().isEmpty());
        assign(consumers.getLast());

        await().until(member::hasJoined);
        assertThat(sessions).containsExactly(GroupMember.SESSION, Duration.ofSeconds(6));
        assertThat(consumers.getFirst().closed()).isTrue();
        assertThat(owned).containsExactly(0);
    }

    private GroupMember start() {
        var member = new GroupMember(clients, (partition, membership) -> {
            owned.add(partition);
            return Optional.empty();
        });
        opened.add(member);
        member.start();
        return member;
    }

    private static void assign(MockConsumer<byte[], byte[]> consumer) {
        await().until(() -> !consumer.subscription().isEmpty());
        consumer.schedulePollTask(() -> {
            consumer.rebalance(List.of(PARTITION));
            consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
        });
    }

    private final class Clients implements ClientFactory {
        private boolean refuseFirst;

        @Override
        public TopicLayout layout() {
            return LAYOUT;
        }

        @Override
        public Consumer<byte[], byte[]> member(Duration session) {
            var consumer = new MockConsumer<byte[], byte[]>("earliest");
            if (refuseFirst && consumers.isEmpty()) {
                consumer.setPollException(
                        new InvalidSessionTimeoutException("shorter than group.min.session.timeout.ms"));
            }
            sessions.add(session);
            consumers.add(consumer);
            return consumer;
        }

        @Override
        public Producer<byte[], byte[]> producer(int partition) {
            throw new UnsupportedOperationException("nothing is published in this test");
        }

        @Override
        public Consumer<byte[], byte[]> restorer(int partition) {
            throw new UnsupportedOperationException("nothing is restored in this test");
        }
    }
}
