package io.evenkeel.worker.task;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.internals.InMemoryKeyValueStore;

/** A store in memory that begins with what a former owner left, and leaves what it holds at its end. */
final class Restored extends InMemoryKeyValueStore {
    private final Map<Bytes, byte[]> content;

    private Restored(String name, Map<Bytes, byte[]> content) {
        super(name);
        this.content = content;
    }

    /** @param content what it begins with; holds what it ended with once it is closed */
    static KeyValueBytesStoreSupplier supplier(String name, Map<Bytes, byte[]> content) {
        return new KeyValueBytesStoreSupplier() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public KeyValueStore<Bytes, byte[]> get() {
                return new Restored(name, content);
            }

            @Override
            public String metricsScope() {
                return "in-memory";
            }
        };
    }

    @Override
    public void close() {
        if (isOpen()) {
            content.clear();
            content.putAll(contentOf(this));
        }
        super.close();
    }

    /** A copy of all that a store holds. */
    static Map<Bytes, byte[]> contentOf(KeyValueStore<Bytes, byte[]> store) {
        var all = new HashMap<Bytes, byte[]>();
        try (KeyValueIterator<Bytes, byte[]> entries = store.all()) {
            entries.forEachRemaining(entry -> all.put(entry.key, entry.value));
        }
        return all;
    }

    @Override
    public void init(StateStoreContext context, StateStore root) {
        super.init(context, root);
        content.forEach(this::put);
    }
}
