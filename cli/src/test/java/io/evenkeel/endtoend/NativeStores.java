package io.evenkeel.endtoend;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** Reads the stores that lie under a folder as their owners would: in their files, keys share beginnings and values are packed. */
final class NativeStores {
    /** Every store has it; it names the list of its files. */
    private static final String MARK = "CURRENT";

    private NativeStores() {}

    /** Keys and values of each store by its folder, closed as it must be. */
    static Map<String, byte[]> under(Path folder) throws IOException {
        var contents = new TreeMap<String, byte[]>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path mark : files.filter(file -> file.endsWith(MARK)).toList()) {
                Path store = mark.resolveSibling("");
                contents.put("store " + folder.relativize(store), entries(store));
            }
        }
        return contents;
    }

    private static byte[] entries(Path store) throws IOException {
        var content = new ByteArrayOutputStream();
        try (var options = new Options();
                var databaseOptions = new DBOptions()) {
            List<ColumnFamilyDescriptor> families = RocksDB.listColumnFamilies(options, store.toString()).stream()
                    .map(ColumnFamilyDescriptor::new)
                    .toList();
            var handles = new ArrayList<ColumnFamilyHandle>();
            try (var database = RocksDB.openReadOnly(databaseOptions, store.toString(), families, handles)) {
                for (ColumnFamilyHandle handle : handles) {
                    write(database, handle, content);
                    handle.close();
                }
            }
        } catch (RocksDBException e) {
            throw new IOException("cannot read the store in " + store, e);
        }
        return content.toByteArray();
    }

    private static void write(RocksDB database, ColumnFamilyHandle family, ByteArrayOutputStream content)
            throws RocksDBException {
        try (RocksIterator entries = database.newIterator(family)) {
            for (entries.seekToFirst(); entries.isValid(); entries.next()) {
                content.writeBytes(entries.key());
                content.write('\n');
                content.writeBytes(entries.value());
                content.write('\n');
            }
            entries.status();
        }
    }
}
