package io.evenkeel.worker.retry;

import io.evenkeel.api.ControllerKey;
import io.evenkeel.api.Partitioner;
import io.evenkeel.api.json.Json;
import io.evenkeel.api.json.MalformedRecordException;
import io.evenkeel.api.record.RetryEntry;
import io.evenkeel.api.record.RetryTier;
import io.evenkeel.api.topic.Topic;
import io.evenkeel.api.topic.TopicLayout;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns the retry topics: brings each entry up when it is due. A partition whose head is not due is paused; its offset is
 * committed only after what the head became is safe, so that a crash repeats an entry and never loses one. One thread;
 * a failure of Kafka only delays it.
 */
public final class RetryScheduler implements Runnable {
    private static final Logger log = LoggerFactory.getLogger(RetryScheduler.class);
    private static final Duration LONGEST_POLL = Duration.ofMillis(500);
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);

    /** Heads that are handled before what they became is waited for. */
    private static final int BATCH = 500;

    private final Consumer<byte[], byte[]> consumer;
    private final Producer<byte[], byte[]> producer;
    private final TopicLayout layout;
    private final Predicate<String> isOurs;
    private final Clock clock;
    private final Map<String, RetryTier> tierByTopic;
    private final Map<TopicPartition, ArrayDeque<ConsumerRecord<byte[], byte[]>>> buffered = new HashMap<>();
    private volatile boolean rewinding;
    private volatile boolean closed;

    /**
     * @param consumer of a group of its own, without automatic commits; closed when {@link #run} ends, as is the producer
     * @param isOurs whether a controller of that name runs in this worker: others' entries are passed over
     */
    public RetryScheduler(
            Consumer<byte[], byte[]> consumer,
            Producer<byte[], byte[]> producer,
            TopicLayout layout,
            Predicate<String> isOurs,
            Clock clock) {
        this.consumer = consumer;
        this.producer = producer;
        this.layout = layout;
        this.isOurs = isOurs;
        this.clock = clock;
        this.tierByTopic = Stream.of(RetryTier.values())
                .collect(Collectors.toMap(tier -> layout.name(Topic.retry(tier)), tier -> tier));
    }

    @Override
    public void run() {
        try (consumer;
                producer) {
            consumer.subscribe(tierByTopic.keySet(), new Forget());
            while (!closed) {
                turnOnce();
            }
        }
    }

    /** Makes {@link #run} return soon. */
    public void close() {
        closed = true;
        consumer.wakeup();
    }

    private void turnOnce() {
        try {
            if (rewinding) {
                rewind();
            }
            Instant next = handleDue();
            Duration wait = Duration.between(clock.instant(), next);
            consumer.poll(wait.isNegative() ? Duration.ZERO : wait).forEach(this::buffer);
            buffered.forEach((partition, heads) -> {
                if (!heads.isEmpty()) {
                    consumer.pause(Set.of(partition));
                }
            });
        } catch (WakeupException e) {
            log.debug("woken to stop");
        } catch (KafkaException e) {
            log.atWarn().addKeyValue("cause", e.toString()).log("retries are delayed: Kafka does not answer");
            rewinding = true;
            pause();
        }
    }

    private void buffer(ConsumerRecord<byte[], byte[]> message) {
        buffered.computeIfAbsent(new TopicPartition(message.topic(), message.partition()), key -> new ArrayDeque<>())
                .add(message);
    }

    /** Handles what is due; says when to look again. */
    private Instant handleDue() {
        Instant now = clock.instant();
        Instant next = now.plus(LONGEST_POLL);
        var done = new HashMap<TopicPartition, OffsetAndMetadata>();
        var sent = new ArrayList<Future<?>>();
        for (var heads : buffered.entrySet()) {
            ArrayDeque<ConsumerRecord<byte[], byte[]>> records = heads.getValue();
            for (int i = 0; i < BATCH && !records.isEmpty(); i++) {
                ConsumerRecord<byte[], byte[]> head = records.element();
                Optional<Instant> waits = handle(head, now, sent);
                if (waits.isPresent()) {
                    next = waits.get().isBefore(next) ? waits.get() : next;
                    break;
                }
                records.remove();
                done.put(heads.getKey(), new OffsetAndMetadata(head.offset() + 1));
            }
            if (records.isEmpty()) {
                consumer.resume(List.of(heads.getKey()));
            } else if (done.containsKey(heads.getKey())) {
                next = now.isBefore(next) && records.size() >= BATCH ? now : next;
            }
        }
        buffered.values().removeIf(ArrayDeque::isEmpty);
        if (!done.isEmpty()) {
            awaitAll(sent);
            consumer.commitSync(done);
        }
        return next;
    }

    /** Empty if the head is dealt with, else when to look again. */
    private Optional<Instant> handle(ConsumerRecord<byte[], byte[]> head, Instant now, List<Future<?>> sent) {
        String key = head.key() == null ? "" : new String(head.key(), StandardCharsets.UTF_8);
        int slash = key.indexOf('/');
        if (slash < 0 || !isOurs.test(key.substring(0, slash))) {
            return Optional.empty();
        }
        RetryEntry entry;
        ControllerKey controllerKey;
        try {
            entry = Json.read(head.value(), RetryEntry.class);
            controllerKey = ControllerKey.parse(key);
        } catch (MalformedRecordException | IllegalArgumentException e) {
            log.atError()
                    .addKeyValue("topic", head.topic())
                    .addKeyValue("partition", head.partition())
                    .addKeyValue("offset", head.offset())
                    .addKeyValue("cause", String.valueOf(e.getMessage()))
                    .log("retry entry passed over: it cannot be read");
            return Optional.empty();
        }
        RetryTier tier = tierByTopic.getOrDefault(head.topic(), RetryTier.MILLIS_100);
        return switch (Wheel.turn(entry, tier, Instant.ofEpochMilli(head.timestamp()), now)) {
            case Wheel.Turn.Wait wait -> Optional.of(wait.until());
            case Wheel.Turn.Move move -> {
                sent.add(send(Topic.retry(move.tier()), controllerKey, head.value(), now));
                yield Optional.empty();
            }
            case Wheel.Turn.Surface surface -> {
                sent.add(send(Topic.REQUESTS, controllerKey, Json.write(surface.request()), now));
                yield Optional.empty();
            }
        };
    }

    private Future<?> send(Topic topic, ControllerKey key, byte[] value, Instant now) {
        int partition = Partitioner.partition(key.primary(), layout.partitions());
        return producer.send(new ProducerRecord<>(
                layout.name(topic),
                partition,
                now.toEpochMilli(),
                key.toString().getBytes(StandardCharsets.UTF_8),
                value));
    }

    private static void awaitAll(List<Future<?>> sent) {
        for (Future<?> future : sent) {
            try {
                future.get();
            } catch (ExecutionException e) {
                throw new KafkaException("a due entry could not be written", e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new KafkaException("interrupted while a due entry was written", e);
            }
        }
    }

    /**
     * Reads again from what was committed last: what was buffered may be half done. Until this has succeeded nothing is
     * handled, or heads whose entries are not safe would be passed over.
     */
    private void rewind() {
        buffered.clear();
        Set<TopicPartition> assigned = consumer.assignment();
        Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(assigned);
        for (TopicPartition partition : assigned) {
            OffsetAndMetadata position = committed.get(partition);
            if (position == null) {
                consumer.seekToBeginning(Set.of(partition));
            } else {
                consumer.seek(partition, position.offset());
            }
        }
        consumer.resume(consumer.paused());
        rewinding = false;
    }

    private void pause() {
        try {
            Thread.sleep(PAUSE_AFTER_FAILURE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            closed = true;
        }
    }

    /** What was buffered of partitions that are no longer ours. */
    private final class Forget implements ConsumerRebalanceListener {
        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            partitions.forEach(buffered::remove);
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            partitions.forEach(buffered::remove);
        }
    }
}
