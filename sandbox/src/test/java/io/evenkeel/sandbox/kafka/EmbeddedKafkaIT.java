package io.evenkeel.sandbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkeel.sandbox.LoopbackPorts;
import io.evenkeel.sandbox.PortTakenException;
import java.net.BindException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EmbeddedKafkaIT {
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

    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void givenEitherGroupProtocol_whenRecordsAreSent_thenAGroupReadsThemInOrder(String protocol) throws Exception {
        String topic = "ordered-" + protocol;
        clients.createTopic(topic, 3, Map.of());
        try (KafkaProducer<String, String> producer = clients.producer(Map.of());
                KafkaConsumer<String, String> consumer =
                        clients.consumer("group-" + protocol, Map.of("group.protocol", protocol))) {
            for (String value : List.of("a", "b", "c")) {
                clients.send(producer, topic, "key", value);
            }
            consumer.subscribe(List.of(topic));

            assertThat(clients.values(consumer, 3)).containsExactly("a", "b", "c");
        }
    }

    @Test
    void givenAnAbortedAndACommittedTransaction_whenReadCommitted_thenOnlyTheCommittedIsSeen() throws Exception {
        clients.createTopic("transactions", 1, Map.of());
        try (KafkaProducer<String, String> producer = clients.producer(Map.of("transactional.id", "one"));
                KafkaConsumer<String, String> consumer = clients.consumer("transactions", Map.of())) {
            producer.initTransactions();
            producer.beginTransaction();
            clients.send(producer, "transactions", "key", "aborted");
            producer.abortTransaction();
            producer.beginTransaction();
            clients.send(producer, "transactions", "key", "committed");
            producer.commitTransaction();
            consumer.subscribe(List.of("transactions"));

            assertThat(clients.values(consumer, 1)).containsExactly("committed");
        }
    }

    @Test
    void givenANewOwnerOfATransactionalId_whenTheOldOneCommits_thenItIsFenced() throws Exception {
        clients.createTopic("fencing", 1, Map.of());
        try (KafkaProducer<String, String> old = clients.producer(Map.of("transactional.id", "owner"));
                KafkaProducer<String, String> successor = clients.producer(Map.of("transactional.id", "owner"))) {
            old.initTransactions();
            old.beginTransaction();
            clients.send(old, "fencing", "key", "too late");
            successor.initTransactions();

            assertThatThrownBy(old::commitTransaction).isInstanceOf(ProducerFencedException.class);
        }
    }

    @Test
    void givenACompactedTopic_whenAKeyIsOverwritten_thenOnlyItsNewestValueRemains() throws Exception {
        clients.createTopic(
                "compacted",
                1,
                Map.of(
                        "cleanup.policy", "compact",
                        "min.cleanable.dirty.ratio", "0.01",
                        "segment.ms", "100",
                        "max.compaction.lag.ms", "200"));
        try (KafkaProducer<String, String> producer = clients.producer(Map.of())) {
            clients.send(producer, "compacted", "key", "old");
            clients.send(producer, "compacted", "key", "new");
            await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
                // the active segment is never compacted: each try closes it by a record of another key
                clients.send(producer, "compacted", "other", "closes the segment");
                assertThat(valuesFromStart("compacted")).contains("new").doesNotContain("old");
            });
        }
    }

    private static List<String> valuesFromStart(String topic) {
        try (KafkaConsumer<String, String> consumer = clients.consumer("none", Map.of())) {
            consumer.assign(List.of(new TopicPartition(topic, 0)));
            consumer.seekToBeginning(consumer.assignment());
            return clients.values(consumer, 2);
        }
    }

    @Test
    void givenARunningProducerAndConsumer_whenTheBrokerRestarts_thenDataIsKeptAndBothGoOn() throws Exception {
        try (EmbeddedKafka restarted = EmbeddedKafka.builder().build().start()) {
            TestClients own = new TestClients(restarted);
            String address = restarted.bootstrapServers();
            own.createTopic("kept", 1, Map.of());
            try (KafkaProducer<String, String> producer = own.producer(Map.of());
                    KafkaConsumer<String, String> consumer = own.consumer("kept", Map.of())) {
                consumer.subscribe(List.of("kept"));
                own.send(producer, "kept", "key", "before");
                assertThat(own.values(consumer, 1)).containsExactly("before");
                consumer.commitSync();

                restarted.restart();

                assertThat(restarted.bootstrapServers()).isEqualTo(address);
                own.send(producer, "kept", "key", "after");
                assertThat(own.values(consumer, 1)).containsExactly("after");
            }
        }
    }

    @Test
    void givenATakenPort_whenStarted_thenItSaysSoAndNothingIsLeftBehind(@TempDir Path folder) throws Exception {
        int port = LoopbackPorts.free();
        EmbeddedKafka refused =
                EmbeddedKafka.builder().port(port).dataFolder(folder).build();
        try (ServerSocket other = new ServerSocket()) {
            other.bind(LoopbackPorts.address(port));

            assertThatThrownBy(refused::start)
                    .isInstanceOf(PortTakenException.class)
                    .hasMessageContaining(Integer.toString(port))
                    .hasCauseInstanceOf(BindException.class);
        }
        assertThat(folder.resolve("node-1")).doesNotExist();
    }

    @Test
    void givenAFolderInUse_whenAnotherClusterStartsOnIt_thenItIsRefused(@TempDir Path folder) {
        try (EmbeddedKafka first =
                EmbeddedKafka.builder().dataFolder(folder).build().start()) {
            assertThat(first.bootstrapServers()).startsWith("127.0.0.1:");
            assertThatThrownBy(() ->
                            EmbeddedKafka.builder().dataFolder(folder).build().start())
                    .hasMessageContaining("is in use");
        }
    }
}
