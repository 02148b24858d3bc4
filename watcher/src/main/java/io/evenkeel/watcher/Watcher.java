package io.evenkeel.watcher;

import io.evenkeel.api.Partitioner;
import io.evenkeel.api.ShardKey;
import io.evenkeel.api.record.Selection;
import io.evenkeel.api.record.ShardState;
import io.evenkeel.api.topic.Topic;
import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.runtime.cluster.ApiCredentials;
import io.evenkeel.runtime.cluster.ClusterSource;
import io.evenkeel.runtime.kafka.KafkaSettings;
import io.evenkeel.runtime.process.ProcessId;
import io.evenkeel.state.BoundedMemory;
import io.evenkeel.watcher.connection.ClusterConnection;
import io.evenkeel.watcher.fold.Checkpoint;
import io.evenkeel.watcher.frame.Redactions;
import io.evenkeel.watcher.health.ShardGauges;
import io.evenkeel.watcher.health.ShardStatus;
import io.evenkeel.watcher.health.ShardStatuses;
import io.evenkeel.watcher.health.StatusReports;
import io.evenkeel.watcher.ownership.GroupMember;
import io.evenkeel.watcher.ownership.KafkaClients;
import io.evenkeel.watcher.ownership.PartitionOwner;
import io.evenkeel.watcher.ownership.ReportedShards;
import io.evenkeel.watcher.ownership.ShardFactory;
import io.evenkeel.watcher.ownership.ShardPlan;
import io.evenkeel.watcher.publish.Backlog;
import io.evenkeel.watcher.publish.PublishMetrics;
import io.evenkeel.watcher.publish.PublishSettings;
import io.evenkeel.watcher.publish.ShardIndex;
import io.evenkeel.watcher.publish.ShardInput;
import io.evenkeel.watcher.watch.ShardWatch;
import io.evenkeel.watcher.watch.WatchSettings;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * Turns the objects of clusters into an exact, ordered log. Every process of one group shares the shards; each partition of
 * {@code watch-state} is owned by one of them at a time.
 *
 * <p>The topics must exist before {@link #start}. Thread-safe.
 */
public final class Watcher implements AutoCloseable {
    private static final int HTTP_THREADS = 4;
    private static final Duration SHORTEST_WATCH = Duration.ofMinutes(5);
    private static final Duration CHECKPOINT_INTERVAL = Duration.ofSeconds(10);
    private static final long TRANSACTION_BYTES = 16L << 20;
    private static final int RECORDS_PER_EVENT = 3;
    private static final Duration STATUS_PATIENCE = Duration.ofSeconds(30);

    private final ExecutorService executor;
    private final ClusterSource source;
    private final WatchedClusters clusters;
    private final ShardStatuses statuses;
    private final ShardGauges gauges;
    private final PublishMetrics metrics;
    private final KafkaClients clients;
    private final CompletableFuture<Set<ShardKey>> reportedBefore = new CompletableFuture<>();
    private final BoundedMemory memory;
    private final Path folder;
    private final boolean temporary;
    private final GroupMember member;
    private boolean closed;

    /**
     * Sends nothing yet.
     *
     * @param source of the clusters; closed with this
     * @param random for the spread of delays and of the ends of watches
     * @throws io.evenkeel.runtime.process.StartupException if the one cluster of a fixed source cannot be used
     * @throws UncheckedIOException if there is no room for the index
     */
    public Watcher(
            WatcherConfig config,
            ClusterSource source,
            KafkaSettings kafka,
            TopicLayout layout,
            MeterRegistry registry,
            InstantSource clock,
            RandomGenerator random) {
        if (source.isFixed()) {
            source.clusters().values().forEach(ApiCredentials::proven); // nobody will mend it while this runs
        }
        this.source = source;
        this.statuses = new ShardStatuses(clock, shard -> partition(shard, layout));
        this.gauges = new ShardGauges(statuses, registry, clock);
        this.metrics = new PublishMetrics(registry, this::isWatched);
        this.executor = Executors.newFixedThreadPool(
                HTTP_THREADS,
                Thread.ofPlatform().name("watcher-http-", 0).daemon().factory());
        var plan = new ResourcePlan(config.resources(), config.excluded());
        var lives = new AtomicLong();
        this.clusters = new WatchedClusters(
                definition -> new WatchedCluster(
                        definition,
                        lives.incrementAndGet(),
                        layout.watchStatePartitions(),
                        plan,
                        new ClusterConnection(definition, executor, registry, clock),
                        this::shardsChanged,
                        clock,
                        random),
                this::shardsChanged,
                metrics::forget);
        this.temporary = config.stateDir().isEmpty();
        this.folder = folder(config);
        this.memory = new BoundedMemory(config.memoryBytes());
        var shards = new Shards(config, layout, clock, random);
        var settings = new PublishSettings(
                config.transactionAge(),
                config.transactionEvents() * RECORDS_PER_EVENT,
                TRANSACTION_BYTES,
                config.maxRecordBytes(),
                config.backlogBytes(),
                CHECKPOINT_INTERVAL);
        this.clients = new KafkaClients(
                kafka, layout, config.groupId().orElse(layout.prefix() + "watcher"), config.maxRecordBytes());
        this.member = new GroupMember(
                clients,
                (partition, membership) -> shards.isIdle(partition)
                        ? Optional.empty()
                        : Optional.of(new PartitionOwner(
                                partition,
                                clients,
                                shards,
                                settings,
                                metrics,
                                memory,
                                folder.resolve("partition-" + partition),
                                membership)));
    }

    /** Begins to follow the clusters and joins the group; returns at once. */
    public void start() {
        source.follow(clusters::are);
        reportedBefore.completeOnTimeout(Set.of(), STATUS_PATIENCE.toSeconds(), TimeUnit.SECONDS);
        Thread.ofVirtual().name("watcher-status").start(() -> reportedBefore.complete(ReportedShards.read(clients)));
        member.start();
    }

    private boolean isWatched(String cluster) {
        return clusters.find(cluster).isPresent();
    }

    private void shardsChanged() {
        member.shardsChanged();
    }

    /** How the shards that this process owns fare; a shard that another process owns is not in it. */
    public Map<ShardKey, ShardStatus> shards() {
        return statuses.all();
    }

    /**
     * Why this process is not ready, for people; empty if it is: it has joined its group, and no shard is still on its way. A
     * shard of a resource that its cluster does not have counts as in order. Of a fixed source, shards that are refused or
     * unreachable keep it from being ready; of many clusters there is always one.
     */
    public Optional<String> notReady() {
        if (!member.hasJoined()) {
            return Optional.of("has not joined its group yet");
        }
        Optional<String> cluster = clusters.unknown().entrySet().stream()
                .filter(unknown -> source.isFixed() || unknown.getValue().equals(WatchedCluster.NOT_ASKED))
                .findFirst()
                .map(unknown -> "what cluster " + unknown.getKey() + " serves is not known: " + unknown.getValue());
        // Asked for behind the clusters: what one has just told of itself is on its way to the owners.
        if (cluster.isEmpty() && !member.hasFollowedChanges()) {
            return Optional.of("the shards have changed a moment ago");
        }
        return cluster.or(() -> shards().entrySet().stream()
                .filter(shard -> isInTheWay(shard.getValue().state()))
                .findFirst()
                .map(shard -> "shard " + shard.getKey() + " is "
                        + shard.getValue().state() + " " + shard.getValue().detail()));
    }

    private boolean isInTheWay(ShardState state) {
        return switch (state) {
            case LIVE, GONE -> false;
            case SYNCING -> true;
            case FORBIDDEN, UNREACHABLE -> source.isFixed();
        };
    }

    /** Ends all watches, commits what is open, and leaves the group; takes a few seconds at most. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        source.close();
        member.close();
        clusters.close();
        executor.shutdown();
        memory.close();
        if (temporary) {
            deleteFolder();
        }
    }

    private static int partition(ShardKey shard, TopicLayout layout) {
        return Partitioner.partition(shard, layout.watchStatePartitions());
    }

    private static Path folder(WatcherConfig config) {
        try {
            if (config.stateDir().isPresent()) {
                return Files.createDirectories(config.stateDir().get());
            }
            return Files.createTempDirectory("evenkeel-watcher-");
        } catch (IOException e) {
            throw new UncheckedIOException("watcher.state-dir cannot be used: " + e.getMessage(), e);
        }
    }

    private void deleteFolder() {
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.deleteIfExists(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(
                        Path directory, java.io.@org.jspecify.annotations.Nullable IOException failure)
                        throws IOException {
                    Files.deleteIfExists(directory);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + folder, e);
        }
    }

    /** The shards of the clusters of now. */
    private final class Shards implements ShardFactory {
        private final WatchSettings settings;
        private final Redactions redactions;
        private final InstantSource clock;
        private final RandomGenerator random;
        private final TopicLayout layout;
        private final String owner;

        Shards(WatcherConfig config, TopicLayout layout, InstantSource clock, RandomGenerator random) {
            this.settings = new WatchSettings(config.pageSize(), config.silence(), SHORTEST_WATCH);
            this.redactions = new Redactions(
                    config.redactionKey().map(key -> key.reveal().getBytes(StandardCharsets.UTF_8)), config.redact());
            this.clock = clock;
            this.random = random;
            this.layout = layout;
            this.owner = ProcessId.create(random).text();
        }

        @Override
        public Map<ShardKey, ShardPlan> shardsOf(int partition) {
            return clusters.shardsOf(partition);
        }

        @Override
        public Runnable watch(
                ShardKey shard,
                Selection selection,
                ShardIndex index,
                Optional<Checkpoint> from,
                Backlog<ShardInput.Addressed> backlog,
                Semaphore pages) {
            Optional<WatchedCluster> cluster = clusters.find(shard.cluster());
            return cluster.isEmpty()
                    ? () -> {} // removed a moment ago
                    : new ShardWatch(
                            shard,
                            selection,
                            cluster.get().connection(),
                            index,
                            from,
                            backlog,
                            pages,
                            statuses,
                            settings,
                            redactions,
                            clock,
                            random)::follow;
        }

        /** Whether a partition has no shard, and none on watch-status that is to be removed from there. */
        boolean isIdle(int partition) {
            return shardsOf(partition).isEmpty()
                    && reportedBefore(partition).join().isEmpty();
        }

        private CompletableFuture<Set<ShardKey>> reportedBefore(int partition) {
            return reportedBefore.thenApply(all -> all.stream()
                    .filter(shard -> Watcher.partition(shard, layout) == partition)
                    .collect(Collectors.toSet()));
        }

        @Override
        public StatusReports reports(int partition) {
            return new StatusReports(
                    partition,
                    () -> List.copyOf(shardsOf(partition).keySet()),
                    reportedBefore(partition),
                    statuses,
                    clock,
                    layout.name(Topic.WATCH_STATUS),
                    owner);
        }

        @Override
        public void taken(ShardKey shard) {
            gauges.add(shard);
            statuses.begin(shard);
        }

        @Override
        public void released(ShardKey shard) {
            gauges.remove(shard);
            statuses.forget(shard);
        }
    }
}
