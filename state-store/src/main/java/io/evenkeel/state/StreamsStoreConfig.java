package io.evenkeel.state;

import java.util.Map;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Options;

/**
 * Makes the stores of a Kafka Streams application share one {@link BoundedMemory}, which stands under {@link #MEMORY} in
 * the application's properties. Kafka Streams' own default is a block cache and three memtables per store.
 */
public final class StreamsStoreConfig implements RocksDBConfigSetter {
    /** Property that holds the {@link BoundedMemory}; whoever put it there closes it after the application. */
    public static final String MEMORY = "evenkeel.store.memory";

    private static final long MEMTABLE_BYTES = 8L << 20;

    @Override
    public void setConfig(String storeName, Options options, Map<String, Object> configs) {
        if (!(configs.get(MEMORY) instanceof BoundedMemory memory)) {
            throw new IllegalStateException("the property " + MEMORY + " must hold the memory that stores share");
        }
        // Kafka Streams reads its metrics from this very object, so it is changed and not replaced.
        BlockBasedTableConfig table = (BlockBasedTableConfig) options.tableFormatConfig();
        memory.applyTo(options, table);
        options.setWriteBufferSize(MEMTABLE_BYTES);
    }

    @Override
    public void close(String storeName, Options options) {
        // The memory is shared and outlives every store.
    }
}
