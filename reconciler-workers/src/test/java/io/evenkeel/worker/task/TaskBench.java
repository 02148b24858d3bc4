package io.evenkeel.worker.task;

import io.evenkeel.api.ControllerKey;
import io.evenkeel.api.ObjectKey;
import io.evenkeel.api.json.Json;
import io.evenkeel.api.record.AttemptOutcome;
import io.evenkeel.api.record.ChangeEvent;
import io.evenkeel.api.record.ChangeType;
import io.evenkeel.api.record.Failure;
import io.evenkeel.api.record.ObjectHeaders;
import io.evenkeel.api.record.Origin;
import io.evenkeel.api.record.ReconcileRequest;
import io.evenkeel.api.record.RequestReason;
import io.evenkeel.api.record.Selection;
import io.evenkeel.api.topic.Topic;
import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.reconciler.Controller;
import io.evenkeel.reconciler.Reconciler;
import io.evenkeel.reconciler.Worker;
import io.evenkeel.worker.attempt.AttemptRunner;
import io.evenkeel.worker.attempt.KubernetesApi;
import io.evenkeel.worker.attempt.RequestPace;
import io.evenkeel.worker.control.Pauses;
import io.evenkeel.worker.dispatch.Permits;
import io.evenkeel.worker.dispatch.Quarantine;
import io.evenkeel.worker.dispatch.Total;
import io.evenkeel.worker.harness.HandClock;
import io.evenkeel.worker.harness.InReach;
import io.evenkeel.worker.harness.Widget;
import io.evenkeel.worker.health.Progress;
import io.evenkeel.worker.ledger.Fold;
import io.evenkeel.worker.metrics.WorkerMetrics;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;

/**
 * One partition in memory: records go in by hand, attempts run when told, outcomes come back when told, time passes when
 * told. Used by one thread; handlers may run on others.
 */
final class TaskBench implements AutoCloseable {
    static final Instant START = Instant.parse("2026-11-30T09:00:00Z");
    private static final List<String> STORES = List.of(PartitionProcessor.OBJECTS_STORE, PartitionProcessor.WORK_STORE);
    private static final KubernetesApi UNREACHABLE = new KubernetesApi(
            new KubernetesClientBuilder()
                    .withConfig(new ConfigBuilder()
                            .withMasterUrl("http://127.0.0.1:1")
                            .withRequestRetryBackoffLimit(0)
                            .build())
                    .build(),
            InReach.always(),
            RequestPace.unlimited());

    /** What the partition meets; may be changed at any time. */
    final Surroundings around;

    private final TopicLayout layout = TopicLayout.singleBroker(1);
    private final HandClock clock;
    private final Plan plan;
    private final Permits permits;
    private final Map<String, Map<Bytes, byte[]>> stores = new HashMap<>();
    private final Queue<Runnable> handlers = new ConcurrentLinkedQueue<>();
    private final Queue<TestRecord<byte[], byte[]>> outcomes = new ConcurrentLinkedQueue<>();
    private final List<AttemptOutcome> sent = new CopyOnWriteArrayList<>();
    private final TopologyTestDriver driver;
    private Optional<TestRecord<byte[], byte[]>> lastObject = Optional.empty();
    private int version = 100;
    private List<String> changed = List.of("spec");
    private boolean closed;

    /**
     * What is run, how it is described, at most how many at one time, how long attempts may go on at the end, and what they
     * write to.
     */
    record Plan(
            Reconciler<Widget> reconciler,
            UnaryOperator<Worker.Description<Widget>> described,
            int concurrency,
            Duration drain,
            KubernetesApi api) {
        static Plan of(Reconciler<Widget> reconciler) {
            return new Plan(reconciler, UnaryOperator.identity(), 10, Duration.ofSeconds(20), UNREACHABLE);
        }

        Plan described(UnaryOperator<Worker.Description<Widget>> description) {
            return new Plan(reconciler, description, concurrency, drain, api);
        }

        Plan concurrency(int attempts) {
            return new Plan(reconciler, described, attempts, drain, api);
        }

        Plan drain(Duration time) {
            return new Plan(reconciler, described, concurrency, time, api);
        }

        Plan api(KubernetesApi server) {
            return new Plan(reconciler, described, concurrency, drain, server);
        }
    }

    /** What the partition meets: its group, the brokers, and who hears of parked keys. */
    static final class Surroundings {
        /** Whether the group still counts the process as a member. */
        volatile boolean member = true;
        /** What outcomes held when the partition was taken over. */
        volatile TakeOver.Bounds outcomes = new TakeOver.Bounds(0, 0);
        /** Completed when the brokers have what was sent. */
        volatile CompletableFuture<Boolean> acknowledged = CompletableFuture.completedFuture(true);
        /** What is paused. */
        final Pauses pauses = new Pauses();
        /** Whether it is turned. */
        final Progress progress = new Progress(System::nanoTime);
        /** Those of which people were told. */
        final List<String> parked = new CopyOnWriteArrayList<>();
    }

    TaskBench(Reconciler<Widget> reconciler) {
        this(Plan.of(reconciler));
    }

    TaskBench(Plan plan) {
        this(plan, new Surroundings());
    }

    TaskBench(Plan plan, Surroundings around) {
        this(plan, around, new HandClock(START), Map.of());
    }

    private TaskBench(Plan plan, Surroundings around, HandClock clock, Map<String, Map<Bytes, byte[]>> left) {
        this.plan = plan;
        this.permits = new Permits(
                plan.concurrency(),
                plan.concurrency(),
                new Total(plan.concurrency()),
                cluster -> !around.pauses.isPaused("widgets", cluster));
        around.pauses.onChange(permits::clustersChanged);
        this.around = around;
        this.clock = clock;
        STORES.forEach(name -> stores.put(name, new HashMap<>(left.getOrDefault(name, Map.of()))));
        Controller<?> controller = plan.described()
                .apply(Worker.named("widgets").reconcile(Widget.class).owning(ConfigMap.class))
                .with(plan.reconciler())
                .controllers()
                .getFirst();
        var metrics = new WorkerMetrics(new SimpleMeterRegistry());
        var environment = new TaskEnvironment(
                "bench",
                layout,
                new Controllers(List.of(unit(controller, metrics))),
                (partition, outcome, behind, acknowledged) -> {
                    sent.add(outcome);
                    outcomes.add(new TestRecord<>(bytes(outcome.key().toString()), Json.write(outcome)));
                    acknowledged.run();
                },
                partition -> CompletableFuture.completedFuture(around.outcomes),
                (parked, letter, mayWrite) ->
                        around.parked.add(letter.key().primary().name()),
                new Membership(clock, plan.drain(), partition -> around.member),
                sends -> {
                    sends.run();
                    return around.acknowledged;
                },
                new Quarantine(clock),
                around.pauses,
                around.progress,
                handlers::add,
                clock,
                new SplittableRandom(2),
                metrics);
        var properties = new Properties();
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "bench");
        driver = new TopologyTestDriver(
                PartitionTopology.of(
                        environment, name -> Restored.supplier(name, Objects.requireNonNull(stores.get(name), name))),
                properties,
                clock.instant());
    }

    /** The next owner of the partition: with the stores as they are now, or were when this one was closed. */
    TaskBench successor() {
        return successor(plan);
    }

    /** As {@link #successor()}, with a later version of the program. */
    TaskBench successor(Plan later) {
        var left = new HashMap<String, Map<Bytes, byte[]>>();
        STORES.forEach(name -> left.put(name, content(name)));
        return new TaskBench(later, new Surroundings(), clock, left);
    }

    private Map<Bytes, byte[]> content(String store) {
        return closed
                ? Objects.requireNonNull(stores.get(store), store)
                : Restored.contentOf(driver.getKeyValueStore(store));
    }

    /** Whether anything is kept of an object or of the work for it. */
    boolean keeps(ObjectKey object) {
        return content(PartitionProcessor.WORK_STORE).keySet().stream()
                .anyMatch(key -> new String(key.get(), StandardCharsets.UTF_8).contains(object.toString()));
    }

    /** Time passes, and what the partition does from time to time is done. */
    void pass(Duration time) {
        clock.pass(time);
        driver.advanceWallClockTime(time);
    }

    private <T extends HasMetadata> ControllerUnit unit(Controller<T> controller, WorkerMetrics metrics) {
        return new ControllerUnit(
                controller,
                new Fold(controller.policy().minimumInterval()),
                new AttemptRunner<>(controller, InReach.each(plan.api()), "bench", clock, new SplittableRandom(1)),
                permits,
                metrics.of(controller.name(), permits));
    }

    static ObjectKey widget(String name) {
        return new ObjectKey("local", "test.evenkeel.io", "Widget", "default", name);
    }

    static ObjectKey secret(String name) {
        return new ObjectKey("local", "", "Secret", "default", name);
    }

    static ObjectKey configMap(String name) {
        return new ObjectKey("local", "", "ConfigMap", "default", name);
    }

    /** A state of a Widget. */
    void putWidget(String name, int generation) {
        put(widget(name), generation, "test.evenkeel.io/v1", ",\"generation\":" + generation, "\"spec\":{\"size\":1}");
    }

    /** A state of a Widget with more metadata. */
    void putWidget(String name, int generation, String moreMetadata) {
        put(
                widget(name),
                generation,
                "test.evenkeel.io/v1",
                ",\"generation\":" + generation + "," + moreMetadata,
                "\"spec\":{\"size\":1}");
    }

    /** A state of a Secret with more metadata. */
    void putSecret(String name, String moreMetadata) {
        put(secret(name), 0, "v1", "," + moreMetadata, "\"data\":{}");
    }

    /** From now on changes are changes of these sections. */
    void changed(List<String> sections) {
        changed = sections;
    }

    /** A state of a Widget as an API server has it. */
    void put(Widget state, String json) {
        ObjectMeta metadata = state.getMetadata();
        write(
                widget(metadata.getName()),
                ChangeType.MODIFIED,
                metadata.getUid(),
                metadata.getResourceVersion(),
                Math.toIntExact(metadata.getGeneration()),
                Optional.of(bytes(json)));
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
        write(key, ChangeType.MODIFIED, key.name(), Integer.toString(version), generation, Optional.of(bytes(json)));
    }

    /** The end of an object. */
    void delete(ObjectKey key) {
        version++;
        write(key, ChangeType.DELETED, key.name(), Integer.toString(version), 0, Optional.empty());
    }

    /** An object leaves what the watcher sees. */
    void leave(ObjectKey key) {
        version++;
        write(
                key,
                ChangeType.DELETED,
                key.name(),
                Integer.toString(version),
                0,
                Optional.empty(),
                Optional.of(new Selection(Optional.of("app=web"), Optional.empty())));
    }

    private void write(
            ObjectKey key,
            ChangeType type,
            String uid,
            String resourceVersion,
            int generation,
            Optional<byte[]> value) {
        write(key, type, uid, resourceVersion, generation, value, Optional.empty());
    }

    private void write(
            ObjectKey key,
            ChangeType type,
            String uid,
            String resourceVersion,
            int generation,
            Optional<byte[]> value,
            Optional<Selection> selection) {
        var headers = new RecordHeaders();
        new ObjectHeaders(
                        ChangeEvent.id("local", 1, uid, resourceVersion, type),
                        type,
                        Origin.WATCH,
                        1,
                        uid,
                        resourceVersion,
                        generation == 0 ? Optional.empty() : Optional.of((long) generation),
                        changed,
                        clock.instant(),
                        selection,
                        Optional.empty())
                .addTo(headers);
        lastObject = Optional.of(new TestRecord<>(bytes(key.toString()), value.orElse(null), headers));
        repeatObject();
    }

    /** The newest record of an object once more, as after a crash before its position was committed. */
    void repeatObject() {
        input(Topic.OBJECTS).pipeInput(lastObject.orElseThrow());
    }

    /** Bytes on any topic. */
    void garble(Topic topic, String key) {
        input(topic).pipeInput(new TestRecord<>(bytes(key), new byte[] {1, 2, 3}));
    }

    /** Brings requests that were sent to their partition, which is this one. */
    List<ReconcileRequest> deliverRequests() {
        return deliver(read(Topic.REQUESTS));
    }

    List<ReconcileRequest> deliver(List<TestRecord<byte[], byte[]>> requests) {
        var delivered = new ArrayList<ReconcileRequest>();
        for (TestRecord<byte[], byte[]> message : requests) {
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

    /** Runs the next attempt that was started, on a thread of its own. */
    Thread startHandler() {
        return Thread.ofVirtual().start(Objects.requireNonNull(handlers.poll(), "no attempt was started"));
    }

    /** Brings outcomes back. */
    void deliverOutcomes() {
        handOutcomesTo(this);
    }

    /** The next owner of the partition reads the outcomes that were sent here. */
    void handOutcomesTo(TaskBench next) {
        for (TestRecord<byte[], byte[]> message = outcomes.poll(); message != null; message = outcomes.poll()) {
            next.input(Topic.OUTCOMES).pipeInput(message);
        }
    }

    /** As if the worker had died with the attempts that were run since the last delivery, and another one had said so. */
    void loseWorker() {
        List<TestRecord<byte[], byte[]>> run = List.copyOf(outcomes);
        outcomes.clear();
        run.forEach(message -> {
            AttemptOutcome told = Json.read(message.value(), AttemptOutcome.class);
            var failure = new Failure(AttemptOutcome.Result.WORKER_LOST.name(), "lost", "");
            var lost = new AttemptOutcome(
                    told.controller(),
                    told.primary(),
                    told.attemptId(),
                    told.attempt(),
                    told.worker(),
                    told.causes(),
                    told.uid(),
                    told.resourceVersion(),
                    told.generation(),
                    told.startedAt(),
                    told.finishedAt(),
                    AttemptOutcome.Result.WORKER_LOST,
                    failure.message(),
                    Optional.of(failure),
                    List.of(),
                    Optional.of(START));
            outcomes.add(new TestRecord<>(message.key(), Json.write(lost)));
        });
        deliverOutcomes();
    }

    /** Says that the time of a waiting retry has come. */
    void retry(String widget, int attempt) {
        request(widget, new RequestReason.RetryDue(attempt, clock.instant()));
    }

    /** A request for a Widget. */
    void request(String widget, RequestReason reason) {
        ControllerKey key = key(widget);
        input(Topic.REQUESTS)
                .pipeInput(
                        new TestRecord<>(bytes(key.toString()), Json.write(ReconcileRequest.of(key, START, reason))));
    }

    /** Permits that attempts hold. */
    int permitsInUse() {
        return permits.running();
    }

    /** Whether the attempt on a new Widget begins although the brokers do not say that they have its start. */
    boolean beginsUnconfirmed(String widget) {
        around.acknowledged = new CompletableFuture<>();
        putWidget(widget, 1);
        return runHandlers() > 0;
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
        if (!closed) {
            driver.close();
            closed = true;
        }
    }
}
