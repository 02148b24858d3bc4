package io.evenkeel.worker.task;

import io.evenkeel.api.ControllerKey;
import io.evenkeel.api.ObjectKey;
import io.evenkeel.api.json.Json;
import io.evenkeel.api.record.AttemptOutcome;
import io.evenkeel.api.record.ChangeEvent;
import io.evenkeel.api.record.ChangeType;
import io.evenkeel.api.record.ObjectHeaders;
import io.evenkeel.api.record.Origin;
import io.evenkeel.api.record.ReconcileRequest;
import io.evenkeel.api.record.Selection;
import io.evenkeel.api.topic.Topic;
import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.reconciler.Controller;
import io.evenkeel.reconciler.Reconciler;
import io.evenkeel.reconciler.Worker;
import io.evenkeel.worker.attempt.AttemptRunner;
import io.evenkeel.worker.attempt.ClusterApis;
import io.evenkeel.worker.attempt.KubernetesApi;
import io.evenkeel.worker.dispatch.Permits;
import io.evenkeel.worker.harness.Widget;
import io.evenkeel.worker.ledger.Fold;
import io.evenkeel.worker.metrics.WorkerMetrics;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.test.TestRecord;

/** One partition in memory: records go in by hand, attempts run when told, outcomes come back when told. */
final class TaskBench implements AutoCloseable {
    static final Instant START = Instant.parse("2026-11-30T09:00:00Z");

    private final TopicLayout layout = TopicLayout.singleBroker(1);
    private final ArrayDeque<Runnable> handlers = new ArrayDeque<>();
    private final ArrayDeque<TestRecord<byte[], byte[]>> outcomes = new ArrayDeque<>();
    private final List<AttemptOutcome> sent = new ArrayList<>();
    private final KubernetesClient client = new KubernetesClientBuilder()
            .withConfig(new ConfigBuilder()
                    .withMasterUrl("http://127.0.0.1:1")
                    .withRequestRetryBackoffLimit(0)
                    .build())
            .build();
    private final TopologyTestDriver driver;
    private int version = 100;

    TaskBench(Reconciler<Widget> reconciler) {
        Controller<?> controller = Worker.named("widgets")
                .reconcile(Widget.class)
                .owning(ConfigMap.class)
                .with(reconciler)
                .controllers()
                .getFirst();
        var metrics = new WorkerMetrics(new SimpleMeterRegistry());
        Clock clock = Clock.fixed(START, ZoneOffset.UTC);
        var environment = new TaskEnvironment(
                "bench",
                layout,
                new Controllers(List.of(unit(controller, clock, metrics))),
                (partition, outcome, behind, acknowledged) -> {
                    sent.add(outcome);
                    outcomes.add(new TestRecord<>(bytes(outcome.key().toString()), Json.write(outcome)));
                    acknowledged.run();
                },
                partition -> CompletableFuture.completedFuture(new TakeOver.Bounds(0, 0)),
                (parked, letter) -> {},
                new Membership(clock, Duration.ofSeconds(1), partition -> true),
                sends -> {
                    sends.run();
                    return CompletableFuture.completedFuture(true);
                },
                handlers::add,
                clock,
                metrics);
        var properties = new Properties();
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "bench");
        driver = new TopologyTestDriver(
                PartitionTopology.of(environment, Stores::inMemoryKeyValueStore), properties, START);
    }

    private <T extends HasMetadata> ControllerUnit unit(Controller<T> controller, Clock clock, WorkerMetrics metrics) {
        var permits = new Permits(10, 10, cluster -> true);
        var api = new KubernetesApi(client, new KubernetesApi.Reach() {
            @Override
            public void answered() {}

            @Override
            public void broke(String cause) {}

            @Override
            public Optional<String> closedBecause() {
                return Optional.empty();
            }
        });
        var apis = new ClusterApis() {
            @Override
            public KubernetesApi of(String cluster) {
                return api;
            }

            @Override
            public Optional<String> closedBecause(String cluster) {
                return Optional.empty();
            }
        };
        return new ControllerUnit(
                controller,
                new Fold(controller.minimumInterval()),
                new AttemptRunner<>(controller, apis, "bench", clock, new SplittableRandom(1)),
                permits,
                metrics.of(controller.name(), permits));
    }

    static ObjectKey widget(String name) {
        return new ObjectKey("local", "test.evenkeel.io", "Widget", "default", name);
    }

    static ObjectKey configMap(String name) {
        return new ObjectKey("local", "", "ConfigMap", "default", name);
    }

    /** A state of a Widget. */
    void putWidget(String name, int generation) {
        put(widget(name), generation, "test.evenkeel.io/v1", ",\"generation\":" + generation, "\"spec\":{\"size\":1}");
    }

    /** A state of a ConfigMap that Widgets own. */
    void putConfigMap(String name, String... owners) {
        String references = String.join(
                ",",
                List.of(owners).stream()
                        .map(owner -> "{\"apiVersion\":\"test.evenkeel.io/v1\",\"kind\":\"Widget\",\"name\":\"" + owner
                                + "\",\"uid\":\"" + owner + "\"}")
                        .toList());
        put(configMap(name), 0, "v1", ",\"ownerReferences\":[" + references + "]", "\"data\":{}");
    }

    private void put(ObjectKey key, int generation, String apiVersion, String metadata, String rest) {
        version++;
        String json = "{\"apiVersion\":\"" + apiVersion + "\",\"kind\":\"" + key.kind() + "\",\"metadata\":{\"name\":\""
                + key.name() + "\",\"namespace\":\"default\",\"uid\":\"" + key.name() + "\",\"resourceVersion\":\""
                + version + "\"" + metadata + "}," + rest + "}";
        write(key, ChangeType.MODIFIED, generation, Optional.of(bytes(json)));
    }

    /** The end of an object. */
    void delete(ObjectKey key) {
        version++;
        write(key, ChangeType.DELETED, 0, Optional.empty());
    }

    /** An object leaves what the watcher sees. */
    void leave(ObjectKey key) {
        version++;
        write(
                key,
                ChangeType.DELETED,
                0,
                Optional.empty(),
                Optional.of(new Selection(Optional.of("app=web"), Optional.empty())));
    }

    private void write(ObjectKey key, ChangeType type, int generation, Optional<byte[]> value) {
        write(key, type, generation, value, Optional.empty());
    }

    private void write(
            ObjectKey key, ChangeType type, int generation, Optional<byte[]> value, Optional<Selection> selection) {
        var headers = new RecordHeaders();
        String uid = key.name();
        new ObjectHeaders(
                        ChangeEvent.id("local", 1, uid, Integer.toString(version), type),
                        type,
                        Origin.WATCH,
                        1,
                        uid,
                        Integer.toString(version),
                        generation == 0 ? Optional.empty() : Optional.of((long) generation),
                        List.of("spec"),
                        START,
                        selection,
                        Optional.empty())
                .addTo(headers);
        input(Topic.OBJECTS).pipeInput(new TestRecord<>(bytes(key.toString()), value.orElse(null), headers));
    }

    /** Bytes on any topic. */
    void garble(Topic topic, String key) {
        input(topic).pipeInput(new TestRecord<>(bytes(key), new byte[] {1, 2, 3}));
    }

    /** Brings requests that were sent to their partition, which is this one. */
    List<ReconcileRequest> deliverRequests() {
        var delivered = new ArrayList<ReconcileRequest>();
        for (TestRecord<byte[], byte[]> message : read(Topic.REQUESTS)) {
            delivered.add(Json.read(message.value(), ReconcileRequest.class));
            input(Topic.REQUESTS).pipeInput(new TestRecord<>(message.key(), message.value()));
        }
        return delivered;
    }

    /** Runs attempts that were started. */
    int runHandlers() {
        int run = 0;
        for (Runnable next = handlers.poll(); next != null; next = handlers.poll()) {
            next.run();
            run++;
        }
        return run;
    }

    /** Brings outcomes back. */
    void deliverOutcomes() {
        for (TestRecord<byte[], byte[]> next = outcomes.poll(); next != null; next = outcomes.poll()) {
            input(Topic.OUTCOMES).pipeInput(next);
        }
    }

    List<AttemptOutcome> outcomes() {
        return sent;
    }

    List<TestRecord<byte[], byte[]>> read(Topic topic) {
        return driver.createOutputTopic(layout.name(topic), new ByteArrayDeserializer(), new ByteArrayDeserializer())
                .readRecordsToList();
    }

    static ControllerKey key(String widget) {
        return new ControllerKey("widgets", widget(widget));
    }

    private TestInputTopic<byte[], byte[]> input(Topic topic) {
        return driver.createInputTopic(layout.name(topic), new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        driver.close();
        client.close();
    }
}
