package io.evenkeel.worker.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.api.ControllerKey;
import io.evenkeel.api.ObjectKey;
import io.evenkeel.api.json.Json;
import io.evenkeel.api.record.RetryEntry;
import io.evenkeel.api.record.RetryTier;
import io.evenkeel.api.topic.Topic;
import io.evenkeel.api.topic.TopicLayout;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** An outage of Kafka that is longer than its clients' patience, seen from the thread that brings up retries. */
class RetrySchedulerTest {
    private static final TopicLayout LAYOUT = TopicLayout.singleBroker(1);
    private static final TopicPartition TIER = new TopicPartition(LAYOUT.name(Topic.retry(RetryTier.MILLIS_100)), 0);
    private static final ControllerKey KEY =
            new ControllerKey("widgets", new ObjectKey("local", "test.evenkeel.io", "Widget", "default", "a"));

    private final MockProducer<byte[], byte[]> producer =
            new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());

    @Test
    void givenKafkaDoesNotAnswerForLong_whenItIsBack_thenEveryEntryComesUp() throws InterruptedException {
        try (var consumer = new Unanswering()) {
            var retries = new RetryScheduler(consumer, producer, LAYOUT, name -> true, Clock.systemUTC());
            Thread thread = begin(retries, consumer);

            // A commit and then the question for what was committed go unanswered; the first retries come up again.
            await().atMost(Duration.ofSeconds(20)).until(() -> consumer.committedTo() == 2);
            assertThat(consumer.unanswered).hasValue(0);
            assertThat(producer.history()).hasSizeGreaterThanOrEqualTo(4);
            assertThat(consumer.paused()).isEmpty();
            retries.close();
            thread.join();
        }
    }

    @Test
    void givenAnEntryThatCannotBeWritten_whenItWasRefused_thenItIsNotCommittedAndComesUpAgain()
            throws InterruptedException {
        var refusing =
                new MockProducer<byte[], byte[]>(false, null, new ByteArraySerializer(), new ByteArraySerializer());
        try (var consumer = new Unanswering()) {
            consumer.unanswered.set(0);
            var retries = new RetryScheduler(consumer, refusing, LAYOUT, name -> true, Clock.systemUTC());
            Thread thread = begin(retries, consumer);

            await().until(() -> refusing.history().size() == 2);
            refusing.errorNext(new RecordTooLargeException("refused"));
            refusing.completeNext();
            await().until(() -> refusing.history().size() == 4);
            assertThat(consumer.committedTo()).isEqualTo(-1);

            refusing.completeNext();
            refusing.completeNext();
            await().until(() -> consumer.committedTo() == 2);
            retries.close();
            thread.join();
        }
    }

    @Test
    void givenEntriesOfAnotherWorker_whenTheyAreDue_thenTheyArePassedOver() throws InterruptedException {
        try (var consumer = new Unanswering()) {
            consumer.unanswered.set(0);
            var retries = new RetryScheduler(
                    consumer, producer, LAYOUT, name -> !name.equals(KEY.controller()), Clock.systemUTC());
            Thread thread = begin(retries, consumer);

            await().until(() -> consumer.committedTo() == 2);
            retries.close();
            thread.join();
        }
        assertThat(producer.history()).isEmpty();
    }

    private static Thread begin(RetryScheduler retries, Unanswering consumer) {
        Thread thread = Thread.ofPlatform().start(retries);
        await().until(() -> !consumer.subscription().isEmpty());
        consumer.schedulePollTask(() -> {
            consumer.rebalance(Set.of(TIER));
            consumer.updateBeginningOffsets(Map.of(TIER, 0L));
            consumer.addRecord(entry(0));
            consumer.addRecord(entry(1));
        });
        return thread;
    }

    private static ConsumerRecord<byte[], byte[]> entry(long offset) {
        Instant past = Instant.now().minusSeconds(5);
        var entry =
                new RetryEntry(KEY.controller(), KEY.primary().toString(), RetryEntry.Kind.RETRY, 1, past, "broken");
        return new ConsumerRecord<>(
                TIER.topic(), 0, offset, KEY.toString().getBytes(StandardCharsets.UTF_8), Json.write(entry));
    }

    /** Does not answer the first commit, nor the first two questions for the committed positions. */
    private static final class Unanswering extends MockConsumer<byte[], byte[]> {
        private final AtomicInteger unanswered = new AtomicInteger(3);

        Unanswering() {
            super("earliest");
        }

        @Override
        public synchronized void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets) {
            refuseWhile(2);
            super.commitSync(offsets);
        }

        @Override
        public synchronized Map<TopicPartition, OffsetAndMetadata> committed(Set<TopicPartition> partitions) {
            refuseWhile(0);
            return super.committed(partitions).entrySet().stream()
                    .filter(entry -> entry.getValue() != null)
                    .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        }

        /** The mock forgets what it has shown. */
        @Override
        public synchronized void seekToBeginning(Collection<TopicPartition> partitions) {
            super.seekToBeginning(partitions);
            addRecord(entry(0));
            addRecord(entry(1));
        }

        private void refuseWhile(int more) {
            if (unanswered.get() > more) {
                unanswered.decrementAndGet();
                throw new TimeoutException("no answer");
            }
        }

        synchronized long committedTo() {
            OffsetAndMetadata position = super.committed(Set.of(TIER)).get(TIER);
            return position == null ? -1 : position.offset();
        }
    }
}
