package io.evenkeel.sandbox.kafka;

import io.evenkeel.sandbox.FolderLock;
import io.evenkeel.sandbox.TemporaryFolder;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;

/**
 * Where the cluster keeps its data: one folder per node, owned by one process at a time.
 *
 * <p>Kafka locks the folder of a broker too, but only after the controller, which shares it, has begun to write.
 */
final class DataFolder {
    private final Path folder;
    private Optional<FolderLock> held = Optional.empty();

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
        held = Optional.of(FolderLock.take("Kafka", folder));
    }

    void release() {
        held.ifPresent(FolderLock::close);
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
        TemporaryFolder.delete(folder);
    }
}
