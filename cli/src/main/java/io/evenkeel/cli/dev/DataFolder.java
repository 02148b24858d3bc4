package io.evenkeel.cli.dev;

import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.process.StartupException;
import io.evenkeel.sandbox.FolderLock;
import io.evenkeel.sandbox.TemporaryFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Where {@code dev} keeps everything; used by one process at a time. */
final class DataFolder implements AutoCloseable {
    private final Path folder;
    private final boolean ephemeral;
    private final FolderLock lock;

    private DataFolder(Path folder, boolean ephemeral, FolderLock lock) {
        this.folder = folder;
        this.ephemeral = ephemeral;
        this.lock = lock;
    }

    /**
     * Takes a folder that stays.
     *
     * @throws StartupException if another process uses it, or it can't be written
     */
    static DataFolder lasting(Path folder) {
        try {
            return new DataFolder(folder, false, FolderLock.take("dev", folder));
        } catch (IllegalStateException e) {
            throw new StartupException(
                    ExitCode.ERROR,
                    "Another dev runs on " + folder + ". Stop it, or choose another folder with --data-dir.",
                    e);
        } catch (UncheckedIOException e) {
            throw new StartupException(
                    ExitCode.ERROR,
                    "The data folder " + folder + " can't be used: " + e.getCause()
                            + ". Choose another with --data-dir.",
                    e);
        }
    }

    /** Takes a new folder that goes when this is closed. */
    static DataFolder ephemeral() {
        Path folder = TemporaryFolder.create("dev");
        return new DataFolder(folder, true, FolderLock.take("dev", folder));
    }

    Path path() {
        return folder;
    }

    Path broker() {
        return folder.resolve("kafka");
    }

    Path kubernetes(String kind) {
        return folder.resolve("kubernetes-" + kind);
    }

    Path watcher() {
        return folder.resolve("watcher");
    }

    Path worker() {
        return folder.resolve("worker");
    }

    Path log() {
        return folder.resolve("logs").resolve("dev.log");
    }

    /** Writes the kubeconfig, which holds the administrator's token, for this user alone. */
    Path writeKubeconfig(String text) {
        Path file = folder.resolve("kubeconfig");
        try {
            Files.writeString(file, text, StandardCharsets.UTF_8);
            if (Files.getFileStore(file).supportsFileAttributeView("posix")) {
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            }
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }

    @Override
    public void close() {
        lock.close();
        if (ephemeral) {
            TemporaryFolder.delete(folder);
        }
    }
}
