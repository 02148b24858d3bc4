package io.evenkeel.worker;

import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.process.StartupException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a process keeps its local stores.
 *
 * @param path the folder; it exists
 * @param temporary whether it goes with the process
 */
record StateFolder(Path path, boolean temporary) implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(StateFolder.class);

    /**
     * The configured folder, or a temporary one.
     *
     * @throws StartupException if it cannot be used
     */
    static StateFolder of(Optional<Path> configured) {
        try {
            return configured.isPresent()
                    ? new StateFolder(Files.createDirectories(configured.get()), false)
                    : new StateFolder(Files.createTempDirectory("evenkeel-worker-"), true);
        } catch (IOException e) {
            throw new StartupException(
                    ExitCode.ERROR,
                    "The folder for local stores can't be used: " + e + ". Choose another with worker.state-dir.",
                    e);
        }
    }

    @Override
    public void close() {
        if (!temporary) {
            return;
        }
        try (Stream<Path> files = Files.walk(path)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException e) {
            log.atWarn()
                    .addKeyValue("folder", path)
                    .addKeyValue("cause", e.toString())
                    .log("folder not deleted");
        }
    }
}
