package io.evenkeel.testkit;

import io.evenkeel.api.ControllerKey;
import io.evenkeel.api.json.Json;
import io.evenkeel.api.record.AttemptOutcome;
import io.evenkeel.api.record.ChangeEvent;
import io.evenkeel.api.record.ChangeType;
import io.evenkeel.api.record.DeadLetter;
import io.evenkeel.api.record.ObjectHeaders;
import io.evenkeel.api.record.Origin;
import io.evenkeel.api.record.ReconcileRequest;
import io.evenkeel.api.record.RequestReason;
import io.evenkeel.api.record.RetryEntry;
import io.evenkeel.api.record.RetryTier;
import io.evenkeel.api.topic.Topic;
import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.reconciler.Controller;
import io.evenkeel.reconciler.ResourceType;
import io.evenkeel.reconciler.Secondary;
import io.evenkeel.reconciler.Worker;
import io.evenkeel.worker.attempt.AttemptRunner;
import io.evenkeel.worker.attempt.ClusterApis;
import io.evenkeel.worker.attempt.KubernetesApi;
import io.evenkeel.worker.attempt.RequestPace;
import io.evenkeel.worker.control.Pauses;
import io.evenkeel.worker.dispatch.Permits;
import io.evenkeel.worker.dispatch.Quarantine;
import io.evenkeel.worker.dispatch.Total;
import io.evenkeel.worker.health.Progress;
import io.evenkeel.worker.ledger.Fold;
import io.evenkeel.worker.metrics.WorkerMetrics;
import io.evenkeel.worker.object.ObjectJson;
import io.evenkeel.worker.task.ControllerUnit;
import io.evenkeel.worker.task.Controllers;
import io.evenkeel.worker.task.Membership;
import io.evenkeel.worker.task.PartitionTopology;
import io.evenkeel.worker.task.TakeOver;
import io.evenkeel.worker.task.TaskEnvironment;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Queue;
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
import tools.jackson.databind.node.ObjectNode;

/**
 * Runs the controllers of a worker in one process: a simulated API server, the engine's own partition in memory, and time that
 * passes when it is told to. Attempts run on the test's thread. For one thread.
 *
 * <pre>{@code
 * try (var test = ReconcilerTest.of(MemcachedReconciler.worker())) {
 *     test.apply(memcached);                                  // as a user would, and all that follows from it
 *     assertThat(test.get(Deployment.class, "default", "sessions")).isPresent();
 *     test.pass(Duration.ofMinutes(10));                      // retries, requeues and timetables come due
 * }
 * }</pre>
 */
public final class ReconcilerTest implements AutoCloseable {
    private static final int MOST_ROUNDS = 1_000;
    private static final int CONCURRENCY = 16;

    private final String cluster;
    private final KubernetesClient client;
    private final VirtualClock clock = new VirtualClock(Instant.parse("2030-01-01T00:00:00Z"));
    private final TopicLayout layout = TopicLayout.singleBroker(1);
    private final Queue<Runnable> handlers = new ArrayDeque<>();
    private final Queue<TestRecord<byte[], byte[]>> finished = new ArrayDeque<>();
    private final List<AttemptOutcome> outcomes = new ArrayList<>();
    private final List<TestRecord<byte[], byte[]>> waiting = new ArrayList<>();
    private final Map<String, DeadLetter> letters = new LinkedHashMap<>();
    private final ServerView server;
    private final TopologyTestDriver driver;

    private ReconcilerTest(Worker worker) {
        SimulatedClusters.Fresh fresh = SimulatedClusters.take();
        cluster = fresh.name();
        client = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder(Config.fromKubeconfig(fresh.kubeconfig()))
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .withHttpClientFactory(new JdkHttpClientFactory())
                .withKubernetesSerialization(ObjectJson.SERIALIZATION)
                .build();
        Map<ResourceType, Class<?>> kinds = new LinkedHashMap<>();
        for (Controller<?> controller : worker.controllers()) {
            kinds.put(controller.primary(), controller.type());
            for (Secondary<?, ?> secondary : controller.secondaries()) {
                kinds.put(secondary.resource(), secondary.type());
            }
        }
        kinds.forEach((resource, type) -> Definitions.create(client, type, resource));
        server = new ServerView(client, cluster, List.copyOf(kinds.keySet()));
        var properties = new Properties();
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, worker.name());
        driver = new TopologyTestDriver(
                PartitionTopology.of(environment(worker), Stores::inMemoryKeyValueStore), properties, clock.instant());
    }

    /** A test of a worker's controllers, on a cluster of its own that holds nothing but the definitions of their kinds. */
    public static ReconcilerTest of(Worker worker) {
        return new ReconcilerTest(worker);
    }

    private TaskEnvironment environment(Worker worker) {
        var random = new SplittableRandom(1);
        var metrics = new WorkerMetrics(new SimpleMeterRegistry());
        var api = new KubernetesApi(client, new Reachable(), RequestPace.unlimited());
        var total = new Total(CONCURRENCY);
        List<ControllerUnit> units = worker.controllers().stream()
                .map(controller -> unit(controller, api, total, metrics, random))
                .toList();
        return new TaskEnvironment(
                "test",
                layout,
                new Controllers(units),
                (partition, outcome, behind, acknowledged) -> {
                    outcomes.add(outcome);
                    finished.add(message(outcome.key().toString(), Json.write(outcome)));
                    acknowledged.run();
                },
                partition -> CompletableFuture.completedFuture(new TakeOver.Bounds(0, 0)),
                (controller, letter) -> {},
                new Membership(clock, Duration.ofSeconds(1), partition -> true),
                sends -> {
                    sends.run();
                    return CompletableFuture.completedFuture(true);
                },
                new Quarantine(clock),
                new Pauses(),
                new Progress(System::nanoTime),
                handlers::add,
                clock,
                random,
                metrics);
    }

    private <T extends HasMetadata> ControllerUnit unit(
            Controller<T> controller, KubernetesApi api, Total total, WorkerMetrics metrics, SplittableRandom random) {
        var permits = new Permits(CONCURRENCY, CONCURRENCY, total, name -> true);
        return new ControllerUnit(
                controller,
                new Fold(controller.policy().minimumInterval()),
                new AttemptRunner<>(controller, new Only(api), "test", clock, random),
                permits,
                metrics.of(controller.name(), permits));
    }

    /** Creates or changes an object, as a user would, and does all that follows. */
    public <R extends HasMetadata> R apply(R object) {
        R applied = client.resource(object).unlock().createOr(existing -> existing.update());
        settle();
        return applied;
    }

    /** Deletes an object, as a user would, and does all that follows. */
    public void delete(HasMetadata object) {
        client.resource(object).delete();
        settle();
    }

    /** The object as the API server has it. */
    public <R extends HasMetadata> Optional<R> get(Class<R> type, String namespace, String name) {
        return Optional.ofNullable(
                client.resources(type).inNamespace(namespace).withName(name).get());
    }

    /** The way of any other user to the API server; call {@link #settle} after it wrote. */
    public KubernetesClient client() {
        return client;
    }

    /** Id of the cluster. */
    public String cluster() {
        return cluster;
    }

    /**
     * Lets time pass, and what is due happen; what comes due on the way happens at its time.
     *
     * @param time 0 or more
     */
    public void pass(Duration time) {
        Instant end = clock.instant().plus(time);
        Optional<Instant> due = nextDue();
        while (due.isPresent() && !due.get().isAfter(end)) {
            passTo(due.get());
            surface();
            settle();
            due = nextDue();
        }
        passTo(end);
        settle();
    }

    /** Does all that is to be done now. */
    public void settle() {
        for (int round = 0; round < MOST_ROUNDS; round++) {
            boolean moved = show();
            moved |= deliver(Topic.REQUESTS);
            moved |= runHandlers();
            moved |= bringOutcomes();
            keepWhatWaits();
            if (!moved) {
                return;
            }
        }
        throw new AssertionError("the controllers don't come to rest: " + outcomes.size()
                + " attempts so far, the last " + outcomes.getLast());
    }

    /** All attempts so far, oldest first. */
    public List<AttemptOutcome> outcomes() {
        return List.copyOf(outcomes);
    }

    /** How many writes the attempts made so far. */
    public int writes() {
        return outcomes.stream().mapToInt(outcome -> outcome.writes().size()).sum();
    }

    /** What is parked now. */
    public List<DeadLetter> deadLetters() {
        return List.copyOf(letters.values());
    }

    /** The clock of the controllers. */
    public Instant now() {
        return clock.instant();
    }

    private void passTo(Instant time) {
        Duration left = Duration.between(clock.instant(), time);
        if (left.isPositive()) {
            clock.pass(left);
            driver.advanceWallClockTime(left);
        }
    }

    private boolean show() {
        List<ServerView.Difference> differences = server.differences();
        differences.forEach(this::show);
        return !differences.isEmpty();
    }

    private void show(ServerView.Difference difference) {
        ObjectNode state = difference.now().or(difference::before).orElseThrow();
        String uid = state.path("metadata").path("uid").asString();
        String version = state.path("metadata").path("resourceVersion").asString();
        long generation = state.path("metadata").path("generation").asLong(-1);
        ChangeType type = difference.now().isEmpty()
                ? ChangeType.DELETED
                : difference.before().isEmpty() ? ChangeType.ADDED : ChangeType.MODIFIED;
        var headers = new RecordHeaders();
        new ObjectHeaders(
                        ChangeEvent.id(cluster, 1, uid, version, type),
                        type,
                        Origin.WATCH,
                        1,
                        uid,
                        version,
                        generation < 0 ? Optional.empty() : Optional.of(generation),
                        difference.sections(),
                        clock.instant(),
                        Optional.empty(),
                        Optional.empty())
                .addTo(headers);
        input(Topic.OBJECTS)
                .pipeInput(new TestRecord<>(
                        bytes(difference.key().toString()),
                        difference.now().map(Json::write).orElse(null),
                        headers));
    }

    private boolean deliver(Topic topic) {
        List<TestRecord<byte[], byte[]>> sent = read(topic);
        sent.forEach(message -> input(topic).pipeInput(new TestRecord<>(message.key(), message.value())));
        return !sent.isEmpty();
    }

    private boolean runHandlers() {
        boolean ran = false;
        for (Runnable next = handlers.poll(); next != null; next = handlers.poll()) {
            next.run();
            ran = true;
        }
        return ran;
    }

    private boolean bringOutcomes() {
        boolean brought = false;
        for (TestRecord<byte[], byte[]> next = finished.poll(); next != null; next = finished.poll()) {
            input(Topic.OUTCOMES).pipeInput(next);
            brought = true;
        }
        return brought;
    }

    private void keepWhatWaits() {
        for (RetryTier tier : RetryTier.values()) {
            waiting.addAll(read(Topic.retry(tier)));
        }
        for (TestRecord<byte[], byte[]> letter : read(Topic.DEAD_LETTERS)) {
            String key = new String(letter.key(), StandardCharsets.UTF_8);
            Optional.ofNullable(letter.value())
                    .map(value -> Json.read(value, DeadLetter.class))
                    .ifPresentOrElse(parked -> letters.put(key, parked), () -> letters.remove(key));
        }
    }

    private Optional<Instant> nextDue() {
        return waiting.stream().map(message -> entry(message).due()).min(Instant::compareTo);
    }

    /** Brings up what is due. */
    private void surface() {
        for (TestRecord<byte[], byte[]> message : List.copyOf(waiting)) {
            RetryEntry entry = entry(message);
            if (!entry.due().isAfter(clock.instant())) {
                waiting.remove(message);
                RequestReason reason = switch (entry.kind()) {
                    case RETRY -> new RequestReason.RetryDue(Math.max(1, entry.attempt()), entry.due());
                    case REQUEUE -> new RequestReason.RequeueDue(entry.due());
                    case RESYNC -> new RequestReason.ResyncDue(entry.due());
                };
                ControllerKey key = entry.key();
                input(Topic.REQUESTS)
                        .pipeInput(
                                message(key.toString(), Json.write(ReconcileRequest.of(key, clock.instant(), reason))));
            }
        }
    }

    private static RetryEntry entry(TestRecord<byte[], byte[]> message) {
        return Json.read(message.value(), RetryEntry.class);
    }

    private List<TestRecord<byte[], byte[]>> read(Topic topic) {
        return driver.createOutputTopic(layout.name(topic), new ByteArrayDeserializer(), new ByteArrayDeserializer())
                .readRecordsToList();
    }

    private TestInputTopic<byte[], byte[]> input(Topic topic) {
        return driver.createInputTopic(layout.name(topic), new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static TestRecord<byte[], byte[]> message(String key, byte[] value) {
        return new TestRecord<>(bytes(key), value);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Ends the test; the cluster is not used again. */
    @Override
    public void close() {
        driver.close();
        client.close();
    }

    /** The one cluster, always in reach. */
    private record Only(KubernetesApi api) implements ClusterApis {
        @Override
        public KubernetesApi of(String name) {
            return api;
        }

        @Override
        public Optional<String> closedBecause(String name) {
            return Optional.empty();
        }
    }

    /** A breaker that never opens. */
    private static final class Reachable implements KubernetesApi.Reach {
        @Override
        public void answered() {
            // nothing to remember
        }

        @Override
        public void broke(String cause) {
            // nothing to remember
        }

        @Override
        public Optional<String> closedBecause() {
            return Optional.empty();
        }
    }
}
