package io.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LauncherIT {
    private static final Path LAUNCHER =
            Path.of("..", "evenkeel").toAbsolutePath().normalize();

    @TempDir
    private Path folder;

    @Test
    void givenSymbolicLinkAndAnotherFolder_whenStarted_thenItFindsItsBuild() throws Exception {
        assumeThat(System.getProperty("os.name").toLowerCase(Locale.ROOT)).doesNotContain("windows");
        Path link = Files.createSymbolicLink(folder.resolve("ek"), LAUNCHER);

        Process process = start(link.toString(), "config", "print");
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).isZero();
        assertThat(out).startsWith("# kafka.bootstrap.servers:").contains("topics.prefix: evenkeel.");
    }

    private Process start(String... command) throws IOException {
        var builder =
                new ProcessBuilder(List.of(command)).directory(folder.toFile()).redirectErrorStream(true);
        // The build that this test belongs to has just made what the launcher starts.
        builder.environment().put("EVENKEEL_NO_BUILD", "1");
        builder.environment().put("XDG_DATA_HOME", folder.toString());
        return builder.start();
    }
}
