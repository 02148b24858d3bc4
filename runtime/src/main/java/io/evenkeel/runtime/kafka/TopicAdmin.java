package io.evenkeel.runtime.kafka;

import io.evenkeel.api.topic.TopicDifference;
import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.api.topic.TopicSpec;
import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.process.StartupException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Compares the topics of an installation with how they should be, and mends what can be mended. Thread-safe. */
public final class TopicAdmin implements AutoCloseable {
    /** How long Kafka may take to answer, if nothing else is said. */
    public static final Duration DEFAULT_PATIENCE = Duration.ofSeconds(10);

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

    private final KafkaSettings kafka;
    private final TopicLayout layout;
    private final Duration patience;
    private final Admin admin;

    /** Does not connect yet. */
    public TopicAdmin(KafkaSettings kafka, TopicLayout layout) {
        this(kafka, layout, DEFAULT_PATIENCE);
    }

    /**
     * Does not connect yet.
     *
     * @param patience how long Kafka may take to answer, at least a second
     */
    public TopicAdmin(KafkaSettings kafka, TopicLayout layout, Duration patience) {
        this.kafka = kafka;
        this.layout = layout;
        this.patience = patience;
        int millis = Math.toIntExact(patience.toMillis());
        this.admin = Admin.create(kafka.with(Map.of(
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                millis,
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
                Math.min(millis, 5_000))));
    }

    /**
     * What {@link #apply} did.
     *
     * @param repaired differences that are gone now
     * @param remaining differences that a person must decide on
     */
    public record Applied(List<TopicDifference> repaired, List<TopicDifference> remaining) {}

    /**
     * Differences between the topics that exist and those that should.
     *
     * @throws KafkaUnreachableException if Kafka does not answer in time
     */
    public List<TopicDifference> check() {
        return TopicDifference.between(layout.specs(), found());
    }

    /**
     * For a process that needs the topics: refuses to start if they are not as they should be.
     *
     * @throws StartupException naming every difference
     */
    public void require() {
        List<TopicDifference> differences = check();
        if (!differences.isEmpty()) {
            throw new StartupException(
                    ExitCode.ERROR,
                    differences.stream()
                            .map(TopicDifference::message)
                            .collect(Collectors.joining(System.lineSeparator())));
        }
    }

    /**
     * Creates missing topics and sets settings that differ. Never removes a topic and never changes a number of
     * partitions.
     *
     * @throws KafkaUnreachableException if Kafka does not answer in time
     * @throws StartupException if Kafka refuses
     */
    public Applied apply() {
        var repaired = new ArrayList<TopicDifference>();
        var remaining = new ArrayList<TopicDifference>();
        var missing = new ArrayList<TopicSpec>();
        var settings = new HashMap<ConfigResource, Collection<AlterConfigOp>>();
        for (TopicDifference difference : check()) {
            (difference.repairable() ? repaired : remaining).add(difference);
            switch (difference) {
                case TopicDifference.Missing absent -> missing.add(absent.wanted());
                case TopicDifference.Setting setting ->
                    settings.computeIfAbsent(topicResource(setting.topic()), resource -> new ArrayList<>())
                            .add(new AlterConfigOp(
                                    new ConfigEntry(setting.name(), setting.wanted()), AlterConfigOp.OpType.SET));
                case TopicDifference.PartitionCount count -> {}
                case TopicDifference.TooFewReplicas replicas -> {}
            }
        }
        create(missing);
        if (!settings.isEmpty()) {
            answer(
                    "change topic settings",
                    admin.incrementalAlterConfigs(settings).all());
        }
        return new Applied(List.copyOf(repaired), List.copyOf(remaining));
    }

    /**
     * Names of all topics that exist, also others than ours.
     *
     * @throws KafkaUnreachableException if Kafka does not answer in time
     */
    public Set<String> names() {
        return answer("list topics", admin.listTopics().names());
    }

    @Override
    public void close() {
        admin.close(Duration.ofSeconds(1));
    }

    private void create(List<TopicSpec> missing) {
        if (missing.isEmpty()) {
            return;
        }
        var topics = missing.stream()
                .map(spec ->
                        new NewTopic(spec.name(), spec.partitions(), spec.replicationFactor()).configs(spec.settings()))
                .toList();
        for (KafkaFuture<Void> created : admin.createTopics(topics).values().values()) {
            try {
                answer("create topics", created);
            } catch (StartupException e) {
                // Two processes may apply at once; the loser finds what it wanted.
                if (!(e.getCause() instanceof TopicExistsException)) {
                    throw e;
                }
            }
        }
        awaitLeaders(missing);
    }

    /**
     * A leader is named a moment before it knows of it. A first batch that it refuses in that moment, and a second one that
     * it takes, are out of order for good: an idempotent producer then repeats the first until it gives it up. And a broker
     * hears of a new topic a moment after the controller has made it.
     */
    private void awaitLeaders(List<TopicSpec> created) {
        var ends = new HashMap<TopicPartition, OffsetSpec>();
        for (TopicSpec spec : created) {
            for (int partition = 0; partition < spec.partitions(); partition++) {
                ends.put(new TopicPartition(spec.name(), partition), OffsetSpec.latest());
            }
        }
        long begin = System.nanoTime();
        while (true) {
            try {
                answer("find the ends of new topics", admin.listOffsets(ends).all());
                return;
            } catch (StartupException e) {
                boolean unheardOf = e.getCause() instanceof UnknownTopicOrPartitionException;
                if (!unheardOf || System.nanoTime() - begin > patience.toNanos()) {
                    throw e;
                }
                LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
            }
        }
    }

    private Map<String, TopicSpec> found() {
        var names = layout.specs().stream().map(TopicSpec::name).toList();
        var existing = names();
        var present = names.stream().filter(existing::contains).toList();
        Map<String, TopicDescription> described =
                answer("describe topics", admin.describeTopics(present).allTopicNames());
        Map<ConfigResource, Config> configs = answer(
                "read topic settings",
                admin.describeConfigs(
                                present.stream().map(TopicAdmin::topicResource).toList())
                        .all());
        var specs = new HashMap<String, TopicSpec>();
        described.forEach((name, description) -> specs.put(
                name,
                new TopicSpec(
                        name,
                        description.partitions().size(),
                        (short) description.partitions().getFirst().replicas().size(),
                        settings(Optional.ofNullable(configs.get(topicResource(name)))))));
        return specs;
    }

    private static Map<String, String> settings(Optional<Config> config) {
        return config.stream()
                .flatMap(found -> found.entries().stream())
                .filter(entry -> entry.value() != null)
                .collect(Collectors.toMap(ConfigEntry::name, ConfigEntry::value));
    }

    private static ConfigResource topicResource(String name) {
        return new ConfigResource(ConfigResource.Type.TOPIC, name);
    }

    private <T> T answer(String action, KafkaFuture<T> future) {
        try {
            return future.get(patience.toMillis() + 1_000, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof TimeoutException timeout) {
                throw new KafkaUnreachableException(kafka, patience, timeout);
            }
            throw refused(action, Objects.requireNonNullElse(e.getCause(), e));
        } catch (java.util.concurrent.TimeoutException e) {
            throw new KafkaUnreachableException(kafka, patience, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw refused(action, e);
        }
    }

    private StartupException refused(String action, Throwable cause) {
        return new StartupException(
                ExitCode.ERROR,
                "Kafka at " + kafka.bootstrapServers() + " refused to " + action + ": " + cause.getMessage(),
                cause);
    }
}
