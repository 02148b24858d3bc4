package io.evenkeel.cli.connection;

import io.evenkeel.runtime.kafka.KafkaSettings;
import io.evenkeel.runtime.kafka.KafkaUnreachableException;
import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.process.StartupException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads one topic's committed records without a consumer group. What is there when reading starts is merged by the time
 * at which it was written, so that people see one story instead of one per partition; what comes later is shown as it
 * comes. Not thread-safe.
 */
public final class TopicReader implements AutoCloseable {
    /** How long Kafka may take to answer. */
    public static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final int MOST_BUFFERED_PER_PARTITION = 1_000;
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Comparator<ConsumerRecord<byte[], byte[]>> BY_TIME =
            Comparator.comparingLong(ConsumerRecord::timestamp);

    private final KafkaSettings kafka;
    private final String topic;
    private final KafkaConsumer<byte[], byte[]> consumer;

    /** Does not connect yet. */
    public TopicReader(KafkaSettings kafka, String topic) {
        this.kafka = kafka;
        this.topic = topic;
        this.consumer = connect(kafka);
    }

    private static KafkaConsumer<byte[], byte[]> connect(KafkaSettings kafka) {
        int patienceMillis = Math.toIntExact(PATIENCE.toMillis());
        try {
            return new KafkaConsumer<>(
                    kafka.with(Map.of(
                            ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed",
                            ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false",
                            ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false",
                            ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest",
                            ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, "100",
                            ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, patienceMillis)),
                    new ByteArrayDeserializer(),
                    new ByteArrayDeserializer());
        } catch (KafkaException e) {
            // The constructor's own message only says that it failed.
            String reason =
                    Optional.<Throwable>ofNullable(e.getCause()).orElse(e).getMessage();
            throw new StartupException(
                    ExitCode.UNREACHABLE, "Can't connect to Kafka at " + kafka.bootstrapServers() + ": " + reason, e);
        }
    }

    /**
     * Reads records until there are no more, or for ever.
     *
     * @param follow whether to wait for new records at the end
     * @param each takes a record and says whether to go on
     * @param idle called when all records known so far were taken; says whether to go on
     * @throws StartupException if Kafka or the topic can't be reached
     */
    public void read(From from, boolean follow, Predicate<ConsumerRecord<byte[], byte[]>> each, IdleCheck idle) {
        try {
            List<TopicPartition> partitions = partitions();
            consumer.assign(partitions);
            seek(partitions, from);
            boolean more = readKnown(partitions, each) && idle.goOn();
            while (more && follow) {
                more = readNew(each) && idle.goOn();
            }
        } catch (TimeoutException e) {
            throw new KafkaUnreachableException(kafka, PATIENCE, e);
        }
    }

    /** Asked whenever nothing is left to show. */
    @FunctionalInterface
    public interface IdleCheck {
        /** Whether to go on. */
        boolean goOn();
    }

    /** The newest record of each key of a compacted topic; keys whose newest record is a tombstone are left out. */
    public Map<String, ConsumerRecord<byte[], byte[]>> newest() {
        var newest = new HashMap<String, ConsumerRecord<byte[], byte[]>>();
        read(
                new From.Beginning(),
                false,
                record -> {
                    String key = new String(record.key(), java.nio.charset.StandardCharsets.UTF_8);
                    if (record.value() == null) {
                        newest.remove(key);
                    } else {
                        newest.put(key, record);
                    }
                    return true;
                },
                () -> true);
        return newest;
    }

    @Override
    public void close() {
        consumer.close(org.apache.kafka.clients.consumer.CloseOptions.timeout(Duration.ofSeconds(1)));
    }

    private List<TopicPartition> partitions() {
        List<TopicPartition> partitions = Optional.ofNullable(consumer.partitionsFor(topic)).orElse(List.of()).stream()
                .map(info -> new TopicPartition(topic, info.partition()))
                .toList();
        if (partitions.isEmpty()) {
            throw new StartupException(
                    ExitCode.ERROR,
                    "Topic " + topic + " does not exist at " + kafka.bootstrapServers()
                            + ". Create it with: evenkeel topics apply");
        }
        return partitions;
    }

    private void seek(List<TopicPartition> partitions, From from) {
        switch (from) {
            case From.Beginning beginning -> consumer.seekToBeginning(partitions);
            case From.Now now -> consumer.seekToEnd(partitions);
            case From.Time(Instant instant) -> {
                Map<TopicPartition, Long> wanted =
                        partitions.stream().collect(Collectors.toMap(p -> p, p -> instant.toEpochMilli()));
                Map<TopicPartition, OffsetAndTimestamp> found = consumer.offsetsForTimes(wanted);
                for (TopicPartition partition : partitions) {
                    Optional.ofNullable(found.get(partition))
                            .ifPresentOrElse(
                                    offset -> consumer.seek(partition, offset.offset()),
                                    () -> consumer.seekToEnd(List.of(partition)));
                }
            }
        }
    }

    private boolean readKnown(List<TopicPartition> partitions, Predicate<ConsumerRecord<byte[], byte[]>> each) {
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        Set<TopicPartition> behind = new HashSet<>(partitions);
        Map<TopicPartition, Deque<ConsumerRecord<byte[], byte[]>>> waiting = new HashMap<>();
        partitions.forEach(partition -> waiting.put(partition, new ArrayDeque<>()));
        behind.removeIf(partition -> hasReached(partition, ends));
        while (!behind.isEmpty()) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                waiting.computeIfAbsent(new TopicPartition(topic, record.partition()), p -> new ArrayDeque<>())
                        .add(record);
            }
            behind.removeIf(partition -> hasReached(partition, ends));
            if (!showSettled(waiting, behind, each)) {
                return false;
            }
            throttle(waiting);
        }
        consumer.resume(consumer.paused());
        return showSettled(waiting, behind, each);
    }

    /** Shows the oldest record as long as no partition that is still behind could come up with an older one. */
    private static boolean showSettled(
            Map<TopicPartition, Deque<ConsumerRecord<byte[], byte[]>>> waiting,
            Set<TopicPartition> behind,
            Predicate<ConsumerRecord<byte[], byte[]>> each) {
        while (behind.stream().noneMatch(partition -> isEmpty(waiting, partition))) {
            Optional<Deque<ConsumerRecord<byte[], byte[]>>> oldest = waiting.values().stream()
                    .filter(queue -> !queue.isEmpty())
                    .min(Comparator.comparing(Deque::getFirst, BY_TIME));
            if (oldest.isEmpty()) {
                return true;
            }
            if (!each.test(oldest.get().removeFirst())) {
                return false;
            }
        }
        return true;
    }

    private static boolean isEmpty(
            Map<TopicPartition, Deque<ConsumerRecord<byte[], byte[]>>> waiting, TopicPartition partition) {
        return Optional.ofNullable(waiting.get(partition)).map(Deque::isEmpty).orElse(true);
    }

    /** A partition that is far ahead of the slowest waits, so that memory stays bounded. */
    private void throttle(Map<TopicPartition, Deque<ConsumerRecord<byte[], byte[]>>> waiting) {
        var full = new ArrayList<TopicPartition>();
        var low = new ArrayList<TopicPartition>();
        waiting.forEach((partition, queue) -> (queue.size() > MOST_BUFFERED_PER_PARTITION ? full : low).add(partition));
        consumer.pause(full);
        consumer.resume(low);
    }

    private boolean readNew(Predicate<ConsumerRecord<byte[], byte[]>> each) {
        var records = new ArrayList<ConsumerRecord<byte[], byte[]>>();
        consumer.poll(POLL).forEach(records::add);
        records.sort(BY_TIME);
        for (ConsumerRecord<byte[], byte[]> record : records) {
            if (!each.test(record)) {
                return false;
            }
        }
        return true;
    }

    private boolean hasReached(TopicPartition partition, Map<TopicPartition, Long> ends) {
        return consumer.position(partition)
                >= Optional.ofNullable(ends.get(partition)).orElse(0L);
    }
}
