package io.evenkeel.cli.connection;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** A file that only its owner may read. */
public final class OwnerFile {
    private OwnerFile() {}

    /** Replaces the file at once: who waits for it never sees half of it. */
    public static void write(Path file, String text) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null) {
            throw new IOException("it is a folder");
        }
        Files.createDirectories(folder);
        Path draft = Files.createTempFile(folder, ".kubeconfig", ""); // readable by nobody else
        try {
            Files.writeString(draft, text, StandardCharsets.UTF_8);
            Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(draft);
        }
    }
}
