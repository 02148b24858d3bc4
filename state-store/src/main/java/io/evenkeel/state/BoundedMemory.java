package io.evenkeel.state;

import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.WriteBufferManager;

/**
 * The native memory that all RocksDB stores of a process share: one block cache, and memtables that are charged to it.
 * However many stores are open, they hold no more than this. Thread-safe; closed after the last store that uses it.
 */
public final class BoundedMemory implements AutoCloseable {
    private static final double BLOOM_BITS_PER_KEY = 10;

    static {
        RocksDB.loadLibrary();
    }

    private final Cache cache;
    private final WriteBufferManager writeBuffers;
    private final BloomFilter bloomFilter = new BloomFilter(BLOOM_BITS_PER_KEY);

    /**
     * @param bytes for blocks, indexes, filters and memtables together, 8 MiB or more
     * @throws IllegalArgumentException if {@code bytes} is less than that
     */
    public BoundedMemory(long bytes) {
        if (bytes < 8L << 20) {
            throw new IllegalArgumentException("memory for stores must be 8388608 bytes or more but is " + bytes);
        }
        this.cache = new LRUCache(bytes);
        // A third, so that a burst of writes cannot push every block that is read often out of the cache.
        this.writeBuffers = new WriteBufferManager(bytes / 3, cache);
    }

    /**
     * Makes a store that is opened with {@code options} use this memory. The options' own limits on memtables stay as
     * they are and apply on top.
     */
    public void applyTo(Options options) {
        applyTo(options, new BlockBasedTableConfig());
    }

    /** As {@link #applyTo(Options)}, with a table format that is the caller's. */
    void applyTo(Options options, BlockBasedTableConfig table) {
        options.setWriteBufferManager(writeBuffers);
        options.setTableFormatConfig(table.setBlockCache(cache)
                .setCacheIndexAndFilterBlocks(true)
                .setCacheIndexAndFilterBlocksWithHighPriority(true)
                .setPinL0FilterAndIndexBlocksInCache(true)
                .setFilterPolicy(bloomFilter));
    }

    /** Bytes held at the moment. */
    public long usedBytes() {
        return cache.getUsage();
    }

    @Override
    public void close() {
        writeBuffers.close();
        cache.close();
        bloomFilter.close();
    }
}
