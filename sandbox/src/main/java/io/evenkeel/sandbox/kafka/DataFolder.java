package io.evenkeel.sandbox.kafka;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;

/**
 * Where the cluster keeps its data: one folder per node, owned by one process at a time.
 *
 * <p>Kafka locks the folder of a broker too, but only after the controller, which shares it, has begun to write.
 * The lock is the operating system's, so a process that was killed leaves nothing to clean up.
 */
final class DataFolder {
    private final Path folder;
    private Optional<FileChannel> held = Optional.empty();

    DataFolder(Path folder) {
        this.folder = folder.toAbsolutePath();
    }

    Path ofNode(int nodeId) {
        return folder.resolve("node-" + nodeId);
    }

    /**
     * Takes the folder for this cluster, creating it if it is new.
     *
     * @throws IllegalStateException if another cluster, of this process or another, runs on it
     */
    void acquire() {
        try {
            Files.createDirectories(folder);
            FileChannel channel = FileChannel.open(
                    folder.resolve("in-use.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (!isLocked(channel)) {
                channel.close();
                throw new IllegalStateException("Kafka data folder " + folder + " is in use by another process");
            }
            held = Optional.of(channel);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot use " + folder + " as Kafka data folder", e);
        }
    }

    private static boolean isLocked(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock(); // foreign API: null when another process holds it
            return lock != null;
        } catch (OverlappingFileLockException e) {
            return false; // another cluster in this JVM
        }
    }

    void release() {
        held.ifPresent(channel -> {
            try {
                channel.close();
            } catch (IOException e) {
                throw new UncheckedIOException("cannot release " + folder, e);
            }
        });
        held = Optional.empty();
    }

    /** The id that the nodes were formatted with, or a new one if none was. */
    String clusterId() {
        try (Stream<Path> nodes = Files.list(folder)) {
            Optional<Path> formatted = nodes.map(node -> node.resolve("meta.properties"))
                    .filter(Files::exists)
                    .findFirst();
            return formatted.isPresent()
                    ? readClusterId(formatted.get())
                    : Uuid.randomUuid().toString();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + folder, e);
        }
    }

    private static String readClusterId(Path metaProperties) throws IOException {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(metaProperties)) {
            properties.load(reader);
        }
        return properties.getProperty("cluster.id", "");
    }

    void delete() {
        try (Stream<Path> walk = Files.walk(folder)) {
            List<Path> deepestFirst = walk.sorted(Comparator.reverseOrder()).toList();
            for (Path path : deepestFirst) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + folder, e);
        }
    }
}
