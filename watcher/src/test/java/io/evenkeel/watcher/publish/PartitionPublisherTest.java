package io.evenkeel.watcher.publish;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.evenkeel.api.ResourceVersion;
import io.evenkeel.api.ShardKey;
import io.evenkeel.api.record.Selection;
import io.evenkeel.api.topic.Topic;
import io.evenkeel.api.topic.TopicLayout;
import io.evenkeel.state.BoundedMemory;
import io.evenkeel.state.OrderedStore;
import io.evenkeel.watcher.fold.Checkpoint;
import io.evenkeel.watcher.frame.ObjectScanner;
import io.evenkeel.watcher.frame.ScannedObject;
import io.evenkeel.watcher.health.ShardStatuses;
import io.evenkeel.watcher.health.StatusReports;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What one shard's watch sees, and the transactions that come of it. */
@Timeout(60) // a publisher that commits nothing would wait for ever
final class PartitionPublisherTest {
    private static final TopicLayout LAYOUT = TopicLayout.singleBroker(1);
    private static final ShardKey SHARD = new ShardKey("eu-1", "", "configmaps");
    private static final Instant NOW = Instant.parse("2026-11-30T09:14:02Z");
    private static final PublishSettings SETTINGS =
            new PublishSettings(Duration.ofSeconds(10), 1_000, 1 << 20, 100_000, 1 << 20, Duration.ZERO);

    @TempDir
    private Path folder;

    private final Transactions producer = new Transactions();
    private BoundedMemory memory;
    private OrderedStore store;
    private ShardIndex index;

    @BeforeEach
    void openIndex() {
        memory = new BoundedMemory(8 << 20);
        store = OrderedStore.open(folder.resolve("index"), memory);
        index = new ShardIndex(SHARD, store, Optional.empty());
        producer.initTransactions();
    }

    @AfterEach
    void closeIndex() {
        store.close();
        memory.close();
    }

    @Test
    void givenAChange_whenPublished_thenEventObjectIndexAndPositionAreInOneTransaction() throws Exception {
        publish(started(Optional.empty()), completed(10));
        publish(new ShardInput.Upserted(object("a", 12), NOW, false, new ResourceVersion(11)));
        publish(new ShardInput.Deleted(object("a", 14), NOW, new ResourceVersion(12)));

        assertThat(producer.transactions.get(1))
                .containsExactly(
                        "events eu-1/core/ConfigMap/default/a",
                        "objects eu-1/core/ConfigMap/default/a",
                        "watch-state eu-1/core/configmaps/eu-1/core/ConfigMap/default/a",
                        "watch-state eu-1/core/configmaps at 11");
        assertThat(producer.transactions.get(2))
                .containsExactly(
                        "events eu-1/core/ConfigMap/default/a",
                        "objects eu-1/core/ConfigMap/default/a gone",
                        "watch-state eu-1/core/configmaps/eu-1/core/ConfigMap/default/a gone",
                        "watch-state eu-1/core/configmaps at 12");
    }

    @Test
    void givenManyObjectsAtOnce_whenPublished_thenTransactionsAreFullAndFew() throws Exception {
        var inputs = new ArrayList<ShardInput>();
        inputs.add(started(Optional.empty()));
        IntStream.range(0, 2_000).forEach(i -> inputs.add(listed("object-" + i, 5)));
        inputs.add(completed(10));

        publishUntil("watch-state eu-1/core/configmaps at 10", inputs);

        int recordsPerObject = 3;
        assertThat(producer.transactions.stream().flatMap(List::stream).filter(line -> line.startsWith("events ")))
                .hasSize(2_000);
        assertThat(producer.transactions).hasSize(2_000 * recordsPerObject / SETTINGS.transactionRecords());
        assertThat(producer.transactions.subList(0, producer.transactions.size() - 1))
                .allSatisfy(lines -> assertThat(lines)
                        .hasSizeBetween(
                                SETTINGS.transactionRecords(), SETTINGS.transactionRecords() + recordsPerObject));
    }

    @Test
    void givenAListThatHasNotEnded_whenItsItemsAreCommitted_thenThePositionSaysThatAListIsNeeded() throws Exception {
        publish(started(Optional.empty()), listed("a", 5), completed(10));
        publish(started(Optional.of("410 Expired")), listed("b", 11));

        assertThat(producer.transactions.getLast())
                .contains("watch-state eu-1/core/configmaps at 10 because of 410 Expired")
                .noneMatch(line -> line.endsWith("gone"));
    }

    /** What the unfinished list held is no reason to think that it still lives. */
    @Test
    void givenAListThatBrokeOff_whenTheNextOneEnds_thenOnlyWhatThatHeldStays() throws Exception {
        publish(started(Optional.empty()), listed("a", 5), listed("b", 6), completed(10));
        publish(started(Optional.of("410 Expired")), listed("a", 5));
        publish(started(Optional.of("410 Expired")), listed("b", 6), completed(20));

        assertThat(producer.transactions.getLast())
                .contains("objects eu-1/core/ConfigMap/default/a gone")
                .noneMatch(line -> line.equals("objects eu-1/core/ConfigMap/default/b gone"));
    }

    @Test
    void givenBrokersThatDoNotAnswerACommit_whenTheyDo_thenItIsCommittedOnce() throws Exception {
        producer.unanswered = 2;

        publish(started(Optional.empty()), listed("a", 5), completed(10));

        assertThat(producer.unanswered).isZero();
        assertThat(producer.transactions).hasSize(1);
    }

    @Test
    void givenARecordThatCouldNotBeSent_whenCommitted_thenThePublisherEndsAndNothingIsOnTheLog() {
        producer.failing = true;

        assertThatExceptionOfType(KafkaException.class)
                .isThrownBy(() -> publish(started(Optional.empty()), listed("a", 5), completed(10)));

        assertThat(producer.transactions).isEmpty();
    }

    /** Publishes these, in one transaction as long as that is not full. */
    private void publish(ShardInput... inputs) throws InterruptedException {
        publishUntil("", List.of(inputs));
    }

    /** @param last a line of the transaction that is to be the last one; empty for the first one */
    private void publishUntil(String last, List<ShardInput> inputs) throws InterruptedException {
        var turn = new Backlog<ShardInput.Addressed>(16 << 20);
        for (ShardInput input : inputs) {
            turn.put(new ShardInput.Addressed(index, input));
        }
        InstantSource clock = InstantSource.fixed(NOW);
        var reports = new StatusReports(
                0,
                List::of,
                CompletableFuture.completedFuture(Set.of()),
                new ShardStatuses(clock, shard -> 0),
                clock,
                "watch-status",
                "this process");
        var once = new PartitionPublisher(
                SETTINGS,
                LAYOUT,
                0,
                producer,
                turn,
                new PublishMetrics(new SimpleMeterRegistry(), cluster -> true),
                reports);
        producer.afterCommit = () -> {
            if (last.isEmpty() || producer.transactions.getLast().contains(last)) {
                once.stop();
            }
        };
        once.run();
    }

    private static ShardInput started(Optional<String> gap) {
        return new ShardInput.ListStarted("v1", 1, "cluster", Selection.ALL, gap);
    }

    private static ShardInput listed(String name, long version) {
        return new ShardInput.Listed(object(name, version), NOW);
    }

    private static ShardInput completed(long version) {
        return new ShardInput.ListCompleted(new ResourceVersion(version), NOW, new CompletableFuture<>());
    }

    private static ScannedObject object(String name, long version) {
        byte[] json = ("{\"metadata\":{\"name\":\"" + name + "\",\"namespace\":\"default\",\"uid\":\"" + name
                        + "\",\"resourceVersion\":\"" + version + "\"},\"data\":{}}")
                .getBytes(UTF_8);
        return new ObjectScanner("v1", "ConfigMap", Optional.empty()).scan(json, 0, json.length);
    }

    /** Notes what each transaction holds; refuses what is sent outside of one. */
    private static final class Transactions extends MockProducer<byte[], byte[]> {
        private final List<List<String>> transactions = new ArrayList<>();
        private final List<String> open = new ArrayList<>();
        private Runnable afterCommit = () -> {};
        private int unanswered;
        private boolean failing;

        Transactions() {
            super(true, null, new ByteArraySerializer(), new ByteArraySerializer());
        }

        @Override
        public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> message, Callback callback) {
            open.add(described(message));
            if (failing) {
                callback.onCompletion(null, new KafkaException("not sent"));
            }
            return super.send(message, callback);
        }

        @Override
        public void commitTransaction() {
            if (unanswered > 0) {
                unanswered--;
                throw new TimeoutException("no answer");
            }
            super.commitTransaction();
            transactions.add(List.copyOf(open));
            open.clear();
            afterCommit.run();
        }

        private static String described(ProducerRecord<byte[], byte[]> message) {
            String line = message.topic().substring(TopicLayout.DEFAULT_PREFIX.length()) + " "
                    + new String(message.key(), UTF_8);
            if (message.value() == null) {
                return line + " gone";
            }
            if (!message.topic().equals(LAYOUT.name(Topic.WATCH_STATE)) || !WatchState.isShard(message.key())) {
                return line;
            }
            Checkpoint position = WatchState.decodeCheckpoint(message.value());
            return line + " at " + position.resourceVersion()
                    + position.relist().map(reason -> " because of " + reason).orElse("");
        }
    }
}
