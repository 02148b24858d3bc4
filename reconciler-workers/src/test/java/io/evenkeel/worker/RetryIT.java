package io.evenkeel.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.api.json.Json;
import io.evenkeel.api.record.AttemptOutcome;
import io.evenkeel.api.record.AttemptOutcome.Result;
import io.evenkeel.api.record.DeadLetter;
import io.evenkeel.api.record.RetryEntry;
import io.evenkeel.api.topic.Topic;
import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.reconciler.Outcome;
import io.evenkeel.reconciler.Worker;
import io.evenkeel.sandbox.kafka.EmbeddedKafka;
import io.evenkeel.worker.harness.ObjectLog;
import io.evenkeel.worker.harness.Topics;
import io.evenkeel.worker.harness.Widget;
import io.evenkeel.worker.harness.WidgetCluster;
import io.evenkeel.worker.harness.WorkerSetting;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Retries through the topics, on a broker that is restarted in the middle. */
class RetryIT {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String BROKEN = "widgets/" + ObjectLog.key("broken");

    @Test
    void givenFailures_whenRetried_thenHealedOrParkedAndHealedByANewSpec(@TempDir Path folder) throws Exception {
        Map<String, List<Instant>> calls = new ConcurrentHashMap<>();
        Worker worker = Worker.named("widgets").reconcile(Widget.class).with((widget, context) -> {
            String name = widget.getMetadata().getName();
            calls.computeIfAbsent(name, key -> new CopyOnWriteArrayList<>()).add(Instant.now());
            if (name.equals("shaky") && context.attempt() < 3) {
                throw new IllegalStateException("attempt " + context.attempt() + " fails");
            }
            if (name.equals("broken") && widget.getSpec().size() == 1) {
                throw new StackOverflowError("always");
            }
            return Outcome.done();
        });
        try (EmbeddedKafka broker = EmbeddedKafka.builder()
                        .dataFolder(folder.resolve("kafka"))
                        .build()
                        .start();
                WidgetCluster cluster = WidgetCluster.start()) {
            Path kubeconfig = Files.writeString(folder.resolve("cluster"), cluster.kubeconfig());
            TopicLayout layout = WorkerSetting.on(broker.bootstrapServers(), "retry.", 2, folder)
                    .layout();
            WorkerSetting setting = WorkerSetting.of(broker.bootstrapServers(), layout, folder, kubeconfig);
            try (var log = new ObjectLog(setting.kafka(), setting.layout());
                    WorkerProcess process = worker.start(setting.config())) {
                putUndecodable(setting);
                log.put("shaky", 1, 1).get();
                log.put("broken", 1, 1).get();
                await().atMost(SOON)
                        .until(() -> calls.getOrDefault("broken", List.of()).size() >= 2);
                broker.restart();
                await().atMost(SOON)
                        .untilAsserted(() -> assertThat(letters(setting)).containsKey(BROKEN));
                assertThat(process.deadBecause()).isEmpty();

                assertThat(calls.getOrDefault("shaky", List.of())).hasSize(3);
                DeadLetter letter = Objects.requireNonNull(letters(setting).get(BROKEN));
                assertThat(letter.attempts()).isEqualTo(5);
                assertThat(letter.failure().type()).isEqualTo("java.lang.StackOverflowError");
                assertThat(letter.failure().message()).isEqualTo("always");
                assertThat(letter.history()).hasSize(5);
                assertThat(calls.getOrDefault("broken", List.of())).hasSize(5);
                assertDelaysGrow(setting);

                log.put("broken", 2, 2).get();
                await().atMost(SOON).untilAsserted(() -> {
                    assertThat(calls.getOrDefault("broken", List.of())).hasSize(6);
                    assertThat(letters(setting)).doesNotContainKey(BROKEN);
                });
                assertThat(Topics.records(setting, Topic.DEAD_LETTERS))
                        .anyMatch(message -> new String(message.key(), StandardCharsets.UTF_8)
                                .startsWith("undecodable/retry.objects/"));
            }
        }
    }

    /** The due times that the outcomes hold: 2^i × 100 ms and up to 100 ms of jitter. */
    private static void assertDelaysGrow(WorkerSetting setting) {
        List<AttemptOutcome> failed = Topics.values(setting, Topic.OUTCOMES, AttemptOutcome.class).stream()
                .filter(outcome -> outcome.primary().endsWith("/broken") && outcome.result() == Result.FAILED)
                .toList();
        assertThat(failed).extracting(AttemptOutcome::attempt).containsExactly(1, 2, 3, 4, 5);
        List<Long> delays = failed.stream()
                .flatMap(outcome -> outcome.due().stream()
                        .map(due -> Duration.between(outcome.finishedAt(), due).toMillis()))
                .toList();
        assertThat(delays).hasSize(4);
        IntStream.range(0, delays.size())
                .forEach(i -> assertThat(delays.get(i)).isBetween(100L << i, (100L << i) + 100));
        List<RetryEntry> entries = Topics.values(setting, Topic.RETRY_100MS, RetryEntry.class);
        assertThat(entries).anyMatch(entry -> entry.primary().endsWith("/broken"));
    }

    private static Map<String, DeadLetter> letters(WorkerSetting setting) {
        var newest = new ConcurrentHashMap<String, DeadLetter>();
        for (var message : Topics.records(setting, Topic.DEAD_LETTERS)) {
            String key = new String(message.key(), StandardCharsets.UTF_8);
            if (key.startsWith("undecodable/")) {
                continue;
            }
            if (message.value() == null) {
                newest.remove(key);
            } else {
                newest.put(key, Json.read(message.value(), DeadLetter.class));
            }
        }
        return newest;
    }

    private static void putUndecodable(WorkerSetting setting) throws Exception {
        try (var producer = new KafkaProducer<>(
                setting.kafka().mapWith(Map.of()), new ByteArraySerializer(), new ByteArraySerializer())) {
            byte[] key = ObjectLog.key("garbled").toString().getBytes(StandardCharsets.UTF_8);
            for (int partition = 0; partition < setting.layout().partitions(); partition++) {
                producer.send(new ProducerRecord<>(
                                setting.layout().name(Topic.OBJECTS), partition, key, new byte[] {1, 2, 3}))
                        .get();
            }
        }
    }
}
