package io.evenkeel.worker;

import io.evenkeel.api.topic.Topic;
import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.reconciler.Controller;
import io.evenkeel.reconciler.Worker;
import io.evenkeel.runtime.kafka.TopicAdmin;
import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.process.ProcessId;
import io.evenkeel.runtime.process.StartupException;
import io.evenkeel.state.BoundedMemory;
import io.evenkeel.state.StreamsStoreConfig;
import io.evenkeel.worker.attempt.AttemptRunner;
import io.evenkeel.worker.attempt.RequestPace;
import io.evenkeel.worker.control.PauseReader;
import io.evenkeel.worker.control.Pauses;
import io.evenkeel.worker.dispatch.Permits;
import io.evenkeel.worker.dispatch.Quarantine;
import io.evenkeel.worker.dispatch.Total;
import io.evenkeel.worker.health.Progress;
import io.evenkeel.worker.kafka.GroupProof;
import io.evenkeel.worker.kafka.KafkaOutcomeSender;
import io.evenkeel.worker.kafka.KafkaTakeOver;
import io.evenkeel.worker.kafka.WorkerClientSupplier;
import io.evenkeel.worker.ledger.Fold;
import io.evenkeel.worker.metrics.WorkerMetrics;
import io.evenkeel.worker.retry.RetryScheduler;
import io.evenkeel.worker.task.ControllerUnit;
import io.evenkeel.worker.task.Controllers;
import io.evenkeel.worker.task.Membership;
import io.evenkeel.worker.task.PartitionTopology;
import io.evenkeel.worker.task.TaskEnvironment;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.state.Stores;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One running worker process: the only place where its parts meet. The topics must exist. Thread-safe; close it to give
 * its partitions to others after its running attempts have come to an end.
 */
public final class WorkerProcess implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(WorkerProcess.class);
    private static final Duration MARGIN = Duration.ofSeconds(10);
    private static final Duration HANDLER_MARGIN = Duration.ofMinutes(1);

    private final String id;
    private final KafkaStreams streams;
    private final KafkaOutcomeSender outcomes;
    private final Admin admin;
    private final RetryScheduler retries;
    private final Thread retryThread;
    private final Pauses pauses = new Pauses();
    private final Progress progress = new Progress(System::nanoTime);
    private final List<ControllerUnit> units;
    private volatile Consumer<StartupException> onRefusal = refused -> {};
    private final PauseReader pauseReader;
    private final ExecutorService handlers;
    private final ClusterClients clusters;
    private final BoundedMemory memory;
    private final Duration closeLimit;
    private final GroupMembershipOperation onClose;
    private final StateFolder stateFolder;

    private WorkerProcess(Worker worker, WorkerConfig config, MeterRegistry registry) {
        Clock clock = Clock.systemUTC();
        TopicLayout layout = config.topics();
        String application = layout.prefix() + worker.name();
        id = ProcessId.create(ThreadLocalRandom.current()).text();
        stateFolder = StateFolder.of(config.stateDir());
        closeLimit = config.drainTimeout().plus(MARGIN);
        // Who has a name comes back: until the session ends, its partitions wait for it.
        onClose = config.group().instanceId().isPresent()
                ? GroupMembershipOperation.REMAIN_IN_GROUP
                : GroupMembershipOperation.LEAVE_GROUP;
        clusters = new ClusterClients(
                config.clusters().open(),
                () -> new RequestPace(
                        config.limits().requestsPerSecond(), config.limits().requestBurst(), System::nanoTime));
        var total = new Total(config.limits().totalConcurrency());
        handlers = Executors.newVirtualThreadPerTaskExecutor();
        memory = new BoundedMemory((long) config.storeMemoryMebibytes() << 20);
        var metrics = new WorkerMetrics(registry);
        RandomGenerator random = threadLocalRandom();
        units = worker.controllers().stream()
                .map(controller -> unit(controller, config, total, metrics, clock, random))
                .toList();
        var controllers = new Controllers(units);
        pauses.onChange(() -> units.forEach(unit -> unit.permits().clustersChanged()));
        clusters.onChange(() -> units.forEach(unit -> unit.permits().clustersChanged()));
        admin = Admin.create(config.kafka().with(Map.of()));
        outcomes = new KafkaOutcomeSender(producer(config), layout.name(Topic.OUTCOMES));
        var proof = new GroupProof(config.group().sessionTimeout(), System::nanoTime);
        var clients = new WorkerClientSupplier(
                () -> units.stream().anyMatch(unit -> unit.permits().isPressing()), proof);
        var environment = new TaskEnvironment(
                id,
                layout,
                controllers,
                outcomes,
                new KafkaTakeOver(admin, application, layout.name(Topic.OUTCOMES)),
                new ParkedEvents(clusters, id, handlers, clock),
                new Membership(clock, config.drainTimeout(), proof),
                clients,
                new Quarantine(clock),
                pauses,
                progress,
                handlers,
                clock,
                random,
                metrics);
        streams = new KafkaStreams(
                PartitionTopology.of(environment, Stores::persistentKeyValueStore),
                streamsProperties(config, application),
                clients);
        streams.setUncaughtExceptionHandler(this::onThreadDeath);
        retries = new RetryScheduler(
                new KafkaConsumer<>(
                        config.kafka().mapWith(retryConsumer(config, application)),
                        new ByteArrayDeserializer(),
                        new ByteArrayDeserializer()),
                producer(config),
                layout,
                name -> units.stream().anyMatch(unit -> unit.controller().name().equals(name)),
                clock);
        pauseReader = new PauseReader(config.kafka(), layout.name(Topic.CONTROLS), pauses);
        retryThread = Thread.ofPlatform().name("retry-" + worker.name()).unstarted(retries);
    }

    /** Starts a worker with meters of its own. */
    public static WorkerProcess start(Worker worker, WorkerConfig config) {
        return start(worker, config, new SimpleMeterRegistry());
    }

    /**
     * Starts a worker and returns at once; {@link #isReady()} tells when it has taken over its partitions.
     *
     * @param metrics where its meters are read
     * @throws io.evenkeel.runtime.process.StartupException if Kafka cannot be reached or its topics are not as configured
     */
    public static WorkerProcess start(Worker worker, WorkerConfig config, MeterRegistry metrics) {
        if (worker.controllers().isEmpty()) {
            throw new IllegalArgumentException("worker " + worker.name() + " has no controller");
        }
        try (var topics = new TopicAdmin(config.kafka(), config.topics())) {
            topics.require();
        }
        var process = new WorkerProcess(worker, config, metrics);
        process.pauseReader.start();
        process.streams.start();
        process.retryThread.start();
        log.atInfo()
                .addKeyValue("worker", worker.name())
                .addKeyValue("process", process.id)
                .addKeyValue(
                        "controllers",
                        worker.controllers().stream().map(Controller::name).toList())
                .log("worker started");
        return process;
    }

    /** Id of this run, as it stands in outcomes. */
    public String id() {
        return id;
    }

    /** Whether all partitions that the group gave this process are restored and being worked on. */
    public boolean isReady() {
        return streams.state() == KafkaStreams.State.RUNNING;
    }

    /** Has the listener called, on any thread, if the state of the worker turns out not to be for this program. */
    public void onRefusal(Consumer<StartupException> listener) {
        onRefusal = listener;
        progress.refusal().ifPresent(refusal -> listener.accept(new StartupException(ExitCode.ERROR, refusal)));
    }

    /** What keeps it from working at the moment; empty if nothing does. */
    public Optional<String> notReadyBecause() {
        return isReady() ? Optional.empty() : Optional.of("the worker is " + streams.state());
    }

    /** What it cannot recover from; empty if nothing. */
    public Optional<String> deadBecause() {
        Optional<String> stuck = progress.stuckBecause().or(this::handlersStuckBecause);
        if (stuck.isPresent()) {
            return stuck;
        }
        return switch (streams.state()) {
            case ERROR, NOT_RUNNING, PENDING_ERROR, PENDING_SHUTDOWN -> Optional.of("the worker is " + streams.state());
            case CREATED, REBALANCING, RUNNING ->
                retryThread.isAlive() ? Optional.empty() : Optional.of("the thread that brings up retries has died");
        };
    }

    /** A handler that hangs is left behind after its timeout; where that does not happen either, nothing will. */
    private Optional<String> handlersStuckBecause() {
        return units.stream()
                .filter(unit -> unit.permits()
                        .isStuckFor(unit.controller().policy().attemptTimeout().plus(HANDLER_MARGIN)))
                .findFirst()
                .map(unit -> "no handler of controller " + unit.controller().name() + " has come to an end for long");
    }

    /** Gives the partitions to others after the running attempts have ended, at most the drain time later. */
    @Override
    public void close() {
        retries.close();
        pauseReader.close();
        streams.close(CloseOptions.timeout(closeLimit).withGroupMembershipOperation(onClose));
        joinRetries();
        outcomes.close();
        admin.close(Duration.ofSeconds(1));
        handlers.shutdownNow();
        clusters.close();
        memory.close();
        stateFolder.close();
        log.atInfo().addKeyValue("process", id).log("worker stopped");
    }

    private void joinRetries() {
        try {
            retryThread.join(Duration.ofSeconds(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private <T extends HasMetadata> ControllerUnit unit(
            Controller<T> controller,
            WorkerConfig config,
            Total total,
            WorkerMetrics metrics,
            Clock clock,
            RandomGenerator random) {
        int limit = controller.policy().concurrency().orElse(config.limits().concurrency());
        int perCluster = config.limits().perCluster(limit, config.clusters().isSingle());
        var permits = new Permits(
                limit,
                perCluster,
                total,
                cluster -> clusters.isOpen(cluster) && !pauses.isPaused(controller.name(), cluster));
        return new ControllerUnit(
                controller,
                new Fold(controller.policy().minimumInterval()),
                new AttemptRunner<>(controller, clusters, id, clock, random),
                permits,
                metrics.of(controller.name(), permits));
    }

    private StreamThreadExceptionResponse onThreadDeath(Throwable error) {
        if (!progress.died(error)) {
            String refusal = progress.refusal().orElseThrow();
            log.atError().addKeyValue("cause", refusal).log("the worker's state is not for this program; it stops");
            onRefusal.accept(new StartupException(ExitCode.ERROR, refusal, error));
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        }
        log.atError().setCause(error).log("stream thread died, another takes its place");
        try {
            // A fault that comes back at once must not keep a processor busy with dying threads.
            Thread.sleep(Duration.ofSeconds(1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return StreamThreadExceptionResponse.REPLACE_THREAD;
    }

    private Properties streamsProperties(WorkerConfig config, String application) {
        var own = new HashMap<String, Object>();
        own.put(StreamsConfig.APPLICATION_ID_CONFIG, application);
        own.put(StreamsConfig.CLIENT_ID_CONFIG, application + "-" + id);
        own.put(StreamsConfig.STATE_DIR_CONFIG, stateFolder.path().toString());
        own.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, config.streamThreads());
        own.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.AT_LEAST_ONCE);
        own.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, (int) config.topics().replicationFactor());
        own.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 1_000);
        // The fold needs no order between topics, so no topic waits for another's records.
        own.put(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, StreamsConfig.MAX_TASK_IDLE_MS_DISABLED);
        own.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 0);
        own.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, StreamsStoreConfig.class);
        own.put(StreamsStoreConfig.MEMORY, memory);
        own.put(StreamsConfig.mainConsumerPrefix(ConsumerConfig.ISOLATION_LEVEL_CONFIG), "read_committed");
        // The topic of objects is the store's changelog, and what was aborted there must not be restored.
        own.put(StreamsConfig.restoreConsumerPrefix(ConsumerConfig.ISOLATION_LEVEL_CONFIG), "read_committed");
        own.put(StreamsConfig.consumerPrefix(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG), "earliest");
        own.put(StreamsConfig.mainConsumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), (int)
                config.group().sessionTimeout().toMillis());
        own.put(StreamsConfig.mainConsumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG), (int)
                config.heartbeatInterval().toMillis());
        own.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, config.group().standbyReplicas());
        config.group()
                .instanceId()
                .ifPresent(instance ->
                        own.put(StreamsConfig.mainConsumerPrefix(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG), instance));
        own.put(StreamsConfig.producerPrefix(ProducerConfig.LINGER_MS_CONFIG), 5);
        own.put(StreamsConfig.producerPrefix(ProducerConfig.ACKS_CONFIG), "all");
        return config.kafka().with(own);
    }

    private static Map<String, Object> retryConsumer(WorkerConfig config, String application) {
        return Map.of(
                // What waits on the partitions of a process that died waits no longer than its keys do.
                ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG,
                (int) config.group().sessionTimeout().toMillis(),
                ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG,
                (int) config.heartbeatInterval().toMillis(),
                ConsumerConfig.GROUP_ID_CONFIG,
                application + "-retry",
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                false,
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                "earliest",
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                1_000);
    }

    private static KafkaProducer<byte[], byte[]> producer(WorkerConfig config) {
        Map<String, Object> own = Map.of(
                ProducerConfig.ACKS_CONFIG,
                "all",
                ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
                true,
                ProducerConfig.LINGER_MS_CONFIG,
                5);
        return new KafkaProducer<>(config.kafka().mapWith(own), new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static RandomGenerator threadLocalRandom() {
        return () -> ThreadLocalRandom.current().nextLong();
    }
}
