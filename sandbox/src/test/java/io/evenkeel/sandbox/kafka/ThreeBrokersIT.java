package io.evenkeel.sandbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.Test;

class ThreeBrokersIT {
    private static final Duration LONG = Duration.ofSeconds(20);

    @Test
    void givenThreeBrokers_whenOneStopsWritesGoOn_whenTwoStopTheyWaitForTheSecondReplica() throws Exception {
        try (EmbeddedKafka kafka = EmbeddedKafka.builder().brokers(3).build().start()) {
            TestClients clients = new TestClients(kafka);
            clients.createTopic("replicated", 1, Map.of());
            try (KafkaProducer<String, String> producer = clients.producer(Map.of())) {
                clients.send(producer, "replicated", "key", "with three");

                kafka.stopBroker(leader(clients));
                clients.send(producer, "replicated", "key", "with two");

                int stopped = leader(clients);
                kafka.stopBroker(stopped);
                Future<RecordMetadata> waiting = producer.send(new ProducerRecord<>("replicated", "key", "with one"));
                assertThatThrownBy(() -> waiting.get(2, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);

                kafka.startBroker(stopped);
                await().atMost(LONG).until(waiting::isDone);
                assertThat(waiting.get().offset()).isEqualTo(2);
            }
        }
    }

    private static int leader(TestClients clients) throws Exception {
        try (Admin admin = clients.admin()) {
            TopicDescription topic = admin.describeTopics(List.of("replicated"))
                    .allTopicNames()
                    .get(20, TimeUnit.SECONDS)
                    .values()
                    .iterator()
                    .next();
            return topic.partitions().getFirst().leader().id();
        }
    }
}
