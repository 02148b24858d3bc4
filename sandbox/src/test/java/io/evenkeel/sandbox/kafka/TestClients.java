package io.evenkeel.sandbox.kafka;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Clients as a user of the broker would make them, and the few moves that the tests repeat. */
record TestClients(EmbeddedKafka kafka) {

    KafkaProducer<String, String> producer(Map<String, Object> settings) {
        Map<String, Object> config = new HashMap<>();
        config.put("bootstrap.servers", kafka.bootstrapServers());
        config.put("delivery.timeout.ms", 20_000);
        config.put("request.timeout.ms", 2_000);
        config.putAll(settings);
        return new KafkaProducer<>(config, new StringSerializer(), new StringSerializer());
    }

    KafkaConsumer<String, String> consumer(String group, Map<String, Object> settings) {
        Map<String, Object> config = new HashMap<>();
        config.put("bootstrap.servers", kafka.bootstrapServers());
        config.put("group.id", group);
        config.put("auto.offset.reset", "earliest");
        config.put("isolation.level", "read_committed");
        config.putAll(settings);
        return new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer());
    }

    void createTopic(String name, int partitions, Map<String, String> configs) throws Exception {
        try (Admin admin = admin()) {
            NewTopic topic = new NewTopic(name, Optional.of(partitions), Optional.empty());
            admin.createTopics(List.of(topic.configs(configs))).all().get(20, TimeUnit.SECONDS);
        }
    }

    Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
    }

    void send(KafkaProducer<String, String> producer, String topic, String key, String value) throws Exception {
        producer.send(new ProducerRecord<>(topic, key, value)).get(20, TimeUnit.SECONDS);
    }

    /** Polls until as many records are there, and returns their values in the order of arrival. */
    List<String> values(KafkaConsumer<String, String> consumer, int count) {
        List<String> values = new ArrayList<>();
        await().atMost(Duration.ofSeconds(20)).pollDelay(Duration.ZERO).until(() -> {
            consumer.poll(Duration.ofMillis(100)).forEach((ConsumerRecord<String, String> r) -> values.add(r.value()));
            return values.size() >= count;
        });
        return values;
    }
}
