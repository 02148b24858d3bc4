package io.evenkeel.worker.task;

import io.evenkeel.api.topic.Topic;
import io.evenkeel.api.topic.TopicLayout;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.BytesDeserializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.StreamPartitioner;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * The worker's topology: one task per partition number reads {@code objects}, {@code requests} and {@code outcomes}. The
 * store of objects has no changelog of its own, the topic is one; the store of work has.
 */
public final class PartitionTopology {
    private static final String PROCESSOR = "fold";

    private PartitionTopology() {}

    /**
     * Builds it.
     *
     * @param stores makes a store of a name, such as {@code Stores::persistentKeyValueStore}
     */
    public static Topology of(TaskEnvironment environment, Function<String, KeyValueBytesStoreSupplier> stores) {
        TopicLayout layout = environment.layout();
        var topology = new Topology();
        topology.addReadOnlyStateStore(
                store(stores.apply(PartitionProcessor.OBJECTS_STORE)).withLoggingDisabled(),
                "objects-source",
                new BytesDeserializer(),
                new ByteArrayDeserializer(),
                layout.name(Topic.OBJECTS),
                "objects-store",
                KeepObject::new);
        topology.addSource(
                "requests-source", new BytesDeserializer(), new ByteArrayDeserializer(), layout.name(Topic.REQUESTS));
        topology.addSource(
                "outcomes-source", new BytesDeserializer(), new ByteArrayDeserializer(), layout.name(Topic.OUTCOMES));
        topology.addProcessor(
                PROCESSOR,
                () -> new PartitionProcessor(environment),
                "objects-source",
                "requests-source",
                "outcomes-source");
        topology.addStateStore(store(stores.apply(PartitionProcessor.WORK_STORE)), PROCESSOR);
        topology.connectProcessorAndStateStores(PROCESSOR, PartitionProcessor.OBJECTS_STORE);
        Serializer<Routed> keys = (topic, to) -> to.key().getBytes(StandardCharsets.UTF_8);
        topology.addSink(
                "outlet",
                (to, value, context) -> layout.name(to.topic()),
                keys,
                new ByteArraySerializer(),
                new ByRoute(),
                PROCESSOR);
        return topology;
    }

    private static StoreBuilder<KeyValueStore<Bytes, byte[]>> store(KeyValueBytesStoreSupplier supplier) {
        // Without a record cache: what was folded is on its way to the changelog at once, so that the start of an
        // attempt is known even if its handler kills the process.
        return Stores.keyValueStoreBuilder(supplier, Serdes.Bytes(), Serdes.ByteArray())
                .withCachingDisabled();
    }

    /** Keeps the newest state before it is folded. */
    private static final class KeepObject extends ContextualProcessor<Bytes, byte[], Void, Void> {
        @Override
        public void process(Record<Bytes, byte[]> message) {
            if (message.key() != null) {
                KeyValueStore<Bytes, byte[]> store = context().getStateStore(PartitionProcessor.OBJECTS_STORE);
                store.put(message.key(), message.value());
            }
        }
    }

    /** The partition is part of the address. */
    private static final class ByRoute implements StreamPartitioner<Routed, byte[]> {
        @Override
        @SuppressWarnings("removal") // still abstract in the interface
        public Optional<Set<Integer>> partitions(String topic, Routed to, byte[] value, int count) {
            return Optional.of(Set.of(to.partition()));
        }
    }
}
