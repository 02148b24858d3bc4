package io.evenkeel.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Folders that a part of the sandbox makes for itself and removes when it is closed. */
public final class TemporaryFolder {
    private TemporaryFolder() {}

    /** A new folder under the system's temporary one, named {@code evenkeel-<part>-…}. */
    public static Path create(String part) {
        try {
            return Files.createTempDirectory("evenkeel-" + part + "-");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a temporary folder for " + part, e);
        }
    }

    /** Deletes the folder and all that is in it; does nothing if it is gone. Links are removed, not followed. */
    public static void delete(Path folder) {
        try (Stream<Path> walk = Files.walk(folder)) {
            List<Path> deepestFirst = walk.sorted(Comparator.reverseOrder()).toList();
            for (Path path : deepestFirst) {
                Files.deleteIfExists(path);
            }
        } catch (NoSuchFileException e) {
            return;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + folder, e);
        }
    }
}
