package io.evenkeel.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Says that a data folder belongs to one running part of the sandbox, in this process or any other. The lock is the
 * operating system's, so a process that was killed leaves nothing to clean up.
 */
public final class FolderLock implements AutoCloseable {
    private final FileChannel channel;

    private FolderLock(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Takes the folder, creating it if it is new.
     *
     * @param part who wants it, as a person would call it: "Kafka"
     * @throws IllegalStateException if it is taken
     */
    public static FolderLock take(String part, Path folder) {
        try {
            Files.createDirectories(folder);
            FileChannel channel = FileChannel.open(
                    folder.resolve("in-use.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (!isLocked(channel)) {
                channel.close();
                throw new IllegalStateException(
                        "Data folder " + folder + " of " + part + " is in use by another process");
            }
            return new FolderLock(channel);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot use " + folder + " as data folder of " + part, e);
        }
    }

    private static boolean isLocked(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock(); // foreign API: null when another process holds it
            return lock != null;
        } catch (OverlappingFileLockException e) {
            return false; // held in this JVM
        }
    }

    /** Gives the folder back. */
    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot give back a data folder", e);
        }
    }
}
