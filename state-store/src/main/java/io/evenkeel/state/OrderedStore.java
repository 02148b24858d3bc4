package io.evenkeel.state;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * Keys and values as bytes on disk, ordered by unsigned bytes of the key: a cache of what a topic holds. It is emptied
 * when it is opened and writes no log of its own, because whoever opens it restores it from that topic. Thread-safe; after
 * {@link #close} every call fails with {@link IllegalStateException} instead of reaching freed native memory.
 */
public final class OrderedStore implements AutoCloseable {
    private static final long MEMTABLE_BYTES = 8L << 20;

    /** Readers and writers share it; only closing takes it alone. */
    private final ReadWriteLock open = new ReentrantReadWriteLock();

    private final Path folder;
    private final Options options;
    private final WriteOptions unlogged;
    private final RocksDB database;
    private boolean closed;

    private OrderedStore(Path folder, Options options, RocksDB database) {
        this.folder = folder;
        this.options = options;
        this.unlogged = new WriteOptions().setDisableWAL(true);
        this.database = database;
    }

    /**
     * Opens an empty store.
     *
     * @param folder its own folder; created if needed, what it holds of a former store is deleted
     * @throws UncheckedIOException if the folder cannot be used, for example because another process has it open
     */
    public static OrderedStore open(Path folder, BoundedMemory memory) {
        var options = new Options()
                .setCreateIfMissing(true)
                .setWriteBufferSize(MEMTABLE_BYTES)
                .setMaxWriteBufferNumber(2)
                .setMaxOpenFiles(128)
                .setKeepLogFileNum(1)
                .setMaxBackgroundJobs(2);
        memory.applyTo(options);
        try {
            Files.createDirectories(folder);
            RocksDB.destroyDB(folder.toString(), options);
            return new OrderedStore(folder, options, RocksDB.open(options, folder.toString()));
        } catch (RocksDBException e) {
            options.close();
            throw failed("open", folder, e);
        } catch (IOException e) {
            options.close();
            throw new UncheckedIOException("cannot create " + folder, e);
        }
    }

    /** The value under {@code key}, if there is one. */
    public Optional<byte[]> get(byte[] key) {
        return inside(() -> Optional.ofNullable(database.get(key)));
    }

    /** Replaces the value under {@code key}. */
    public void put(byte[] key, byte[] value) {
        inside(() -> {
            database.put(unlogged, key, value);
            return true;
        });
    }

    /** Removes {@code key}, if it is there. */
    public void delete(byte[] key) {
        inside(() -> {
            database.delete(unlogged, key);
            return true;
        });
    }

    /** Applies several changes at once: a reader sees all of them or none. */
    public void write(Changes changes) {
        inside(() -> {
            database.write(unlogged, changes.batch);
            return true;
        });
    }

    /** Removes every key that starts with {@code prefix}. */
    public void deleteAll(byte[] prefix) {
        inside(() -> {
            database.deleteRange(unlogged, prefix, after(prefix));
            return true;
        });
    }

    /**
     * Walks over the entries whose keys start with {@code prefix}, in order, as they were when the call was made: what the
     * visitor writes is not seen. The store cannot be closed meanwhile, so the visitor must end.
     */
    public void scan(byte[] prefix, Visitor visitor) {
        inside(() -> {
            try (var upperBound = new Slice(after(prefix));
                    var readOptions = new ReadOptions().setIterateUpperBound(upperBound);
                    RocksIterator entries = database.newIterator(readOptions)) {
                entries.seek(prefix);
                while (entries.isValid() && visitor.visit(entries.key(), entries.value())) {
                    entries.next();
                }
                entries.status();
            }
            return true;
        });
    }

    @Override
    public void close() {
        open.writeLock().lock();
        try {
            if (!closed) {
                closed = true;
                database.close();
                unlogged.close();
                options.close();
            }
        } finally {
            open.writeLock().unlock();
        }
    }

    private <T> T inside(NativeCall<T> call) {
        open.readLock().lock();
        try {
            if (closed) {
                throw new IllegalStateException("the store in " + folder + " is closed");
            }
            return call.run();
        } catch (RocksDBException e) {
            throw failed("use", folder, e);
        } finally {
            open.readLock().unlock();
        }
    }

    /** The first key after all that start with {@code prefix}. */
    private static byte[] after(byte[] prefix) {
        byte[] next = prefix.clone();
        for (int i = next.length - 1; i >= 0; i--) {
            if (next[i] != (byte) 0xff) {
                next[i]++;
                return java.util.Arrays.copyOf(next, i + 1);
            }
        }
        throw new IllegalArgumentException("a prefix must hold a byte below 0xff");
    }

    private static UncheckedIOException failed(String verb, Path folder, RocksDBException cause) {
        return new UncheckedIOException(
                new IOException("cannot " + verb + " the store in " + folder + ": " + cause.getMessage(), cause));
    }

    /** Receives entries of a scan. */
    @FunctionalInterface
    public interface Visitor {
        /** @return whether to go on */
        boolean visit(byte[] key, byte[] value);
    }

    /** Changes that belong together. Not thread-safe; holds native memory until it is closed. */
    public static final class Changes implements AutoCloseable {
        private final WriteBatch batch = new WriteBatch();

        /** Replaces the value under {@code key}. */
        public Changes put(byte[] key, byte[] value) {
            try {
                batch.put(key, value);
                return this;
            } catch (RocksDBException e) {
                throw new IllegalStateException("cannot collect a change", e);
            }
        }

        /** Removes {@code key}, if it is there. */
        public Changes delete(byte[] key) {
            try {
                batch.delete(key);
                return this;
            } catch (RocksDBException e) {
                throw new IllegalStateException("cannot collect a change", e);
            }
        }

        /** How many changes there are. */
        public int count() {
            return batch.count();
        }

        @Override
        public void close() {
            batch.close();
        }
    }

    @FunctionalInterface
    private interface NativeCall<T> {
        T run() throws RocksDBException;
    }
}
