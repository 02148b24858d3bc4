package io.evenkeel.sandbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkeel.sandbox.process.ChildJvm;
import io.evenkeel.sandbox.process.ChildProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KafkaFaultsIT {
    private static final Duration LONG = Duration.ofSeconds(20);

    private static EmbeddedKafka kafka;
    private static TestClients clients;

    @BeforeAll
    static void start() {
        kafka = EmbeddedKafka.builder().build().start();
        clients = new TestClients(kafka);
    }

    @AfterAll
    static void close() {
        kafka.close();
    }

    @AfterEach
    void heal() {
        kafka.resume();
        kafka.allowAppends();
    }

    @Test
    void givenAPausedBroker_whenAskedByANewAndAnOldClient_thenNeitherIsAnsweredUntilItResumes() throws Exception {
        clients.createTopic("paused", 1, Map.of());
        try (KafkaProducer<String, String> old = clients.producer(Map.of("max.block.ms", 500))) {
            clients.send(old, "paused", "key", "before");

            kafka.pause();
            Future<RecordMetadata> unanswered = old.send(new ProducerRecord<>("paused", "key", "during"));
            try (KafkaProducer<String, String> fresh = clients.producer(Map.of("max.block.ms", 500))) {
                assertThatThrownBy(() -> clients.send(fresh, "paused", "key", "never"))
                        .hasCauseInstanceOf(TimeoutException.class);
            }
            assertThat(unanswered).isNotDone();

            kafka.resume();
            await().atMost(LONG).until(unanswered::isDone);
            assertThat(unanswered.get().hasOffset()).isTrue();
        }
    }

    @Test
    void givenAppendsFailForGood_whenSentInATransaction_thenItCanOnlyBeAbortedAndOtherTopicsAreUnharmed()
            throws Exception {
        clients.createTopic("refused", 1, Map.of());
        clients.createTopic("unharmed", 1, Map.of());
        long before = kafka.refusedAppends();
        kafka.refuseAppends("refused"::equals, new TopicAuthorizationException("refused by the test"));

        try (KafkaProducer<String, String> producer = clients.producer(Map.of("transactional.id", "refused"))) {
            producer.initTransactions();
            producer.beginTransaction();
            clients.send(producer, "unharmed", "key", "value");
            assertThatThrownBy(() -> clients.send(producer, "refused", "key", "value"))
                    .hasCauseInstanceOf(TopicAuthorizationException.class);
            assertThatThrownBy(producer::commitTransaction).isNotNull();
            producer.abortTransaction();
        }
        assertThat(kafka.refusedAppends()).isEqualTo(before + 1);
    }

    @Test
    void givenAppendsFailForAWhile_whenTheyAreAllowedAgain_thenTheProducerHasLostNothing() throws Exception {
        clients.createTopic("retried", 1, Map.of());
        kafka.refuseAppends("retried"::equals, new KafkaStorageException("refused by the test"));
        try (KafkaProducer<String, String> producer = clients.producer(Map.of());
                KafkaConsumer<String, String> consumer = clients.consumer("retried", Map.of())) {
            long before = kafka.refusedAppends();
            Future<RecordMetadata> retried = producer.send(new ProducerRecord<>("retried", "key", "value"));
            await().atMost(LONG).until(() -> kafka.refusedAppends() > before);
            assertThat(retried).isNotDone();

            kafka.allowAppends();

            await().atMost(LONG).until(retried::isDone);
            consumer.subscribe(List.of("retried"));
            assertThat(clients.values(consumer, 1)).containsExactly("value");
        }
    }

    @Test
    void givenAMemberFrozenBeyondItsSession_whenItThaws_thenAnotherOwnsItsPartitionsAndItsCommitIsRefused(
            @TempDir Path folder) throws Exception {
        clients.createTopic("frozen", 1, Map.of());
        try (KafkaProducer<String, String> producer = clients.producer(Map.of());
                ChildProcess member = ChildJvm.of(GroupMemberMain.class)
                        .arguments(kafka.bootstrapServers(), "frozen")
                        .output(folder.resolve("member.log"))
                        .start()) {
            clients.send(producer, "frozen", "key", "value");
            member.awaitLine("^read value$", LONG);

            member.freeze();
            try (KafkaConsumer<String, String> successor = clients.consumer("frozen", Map.of())) {
                successor.subscribe(List.of("frozen"));
                assertThat(clients.values(successor, 1)).containsExactly("value");

                member.thaw();
                member.awaitLine("^commit refused$", LONG);
            }
        }
    }
}
