package io.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.evenkeel.runtime.process.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LauncherIT {
    private static final Path LAUNCHER =
            Path.of("..", "evenkeel").toAbsolutePath().normalize();

    /** The build that this test belongs to has just made what the launcher starts. */
    private static final Map<String, String> BUILT = Map.of("EVENKEEL_NO_BUILD", "1");

    @TempDir
    private Path folder;

    /** What a launcher did: what it printed, and the code it ended with. */
    private record Run(int exitCode, String out) {}

    @BeforeEach
    void skipOnWindows() {
        assumeThat(System.getProperty("os.name").toLowerCase(Locale.ROOT)).doesNotContain("windows");
    }

    @Test
    void givenSymbolicLinkAndAnotherFolder_whenStarted_thenItFindsItsBuild() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("ek"), LAUNCHER);

        Run run = run(link, BUILT);

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).startsWith("# kafka.bootstrap.servers:").contains("topics.prefix: evenkeel.");
    }

    @Test
    void givenAnOlderJdkFirst_whenStarted_thenANewerOneIsTaken() throws Exception {
        Path old = folder.resolve("jdk-17");
        executable(old.resolve("bin/java"), "echo started by the older one");
        Files.writeString(old.resolve("release"), "IMPLEMENTOR=\"none\"\nJAVA_VERSION=\"17.0.15\"\n");
        var environment = new HashMap<>(BUILT);
        environment.put("JAVA_HOME", old.toString());
        environment.put("PATH", Path.of(System.getProperty("java.home"), "bin") + ":" + System.getenv("PATH"));

        Run run = run(LAUNCHER, environment);

        assertThat(run.out()).contains("topics.prefix: evenkeel.");
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void givenNoJdkThatIsNewEnough_whenStarted_thenItSaysSoAndTheExitCodeIsThatOfAnError() throws Exception {
        String launcher = Files.readString(LAUNCHER);
        assertThat(launcher).contains("\nmin=21\n");
        Path copy = folder.resolve("evenkeel");
        executable(copy, launcher.replace("\nmin=21\n", "\nmin=999\n"));

        Run run = run(copy, Map.of());

        assertThat(run.out()).isEqualTo("evenkeel: no JDK 999 or newer found; set JAVA_HOME\n");
        assertThat(run.exitCode()).isEqualTo(ExitCode.ERROR.number());
    }

    @Test
    void givenABuildThatFails_whenStarted_thenItsErrorIsShownAndTheExitCodeIsThatOfAnError() throws Exception {
        Path copy = folder.resolve("checkout/evenkeel");
        executable(copy, Files.readString(LAUNCHER));
        executable(folder.resolve("bin/mvn"), "echo '[INFO] much'; echo '[ERROR] /A.java:[1,2] no such type'; exit 1");

        Run run = run(copy, Map.of("PATH", folder.resolve("bin") + ":" + System.getenv("PATH")));

        Path log = folder.resolve("checkout/cli/target/launcher-build.log");
        assertThat(run.out())
                .contains("[ERROR] /A.java:[1,2] no such type", "the build failed; all of it is in " + log.toRealPath())
                .doesNotContain("much");
        assertThat(run.exitCode()).as("1 says that something differs").isEqualTo(ExitCode.ERROR.number());
        assertThat(log).content().contains("much");
        assertThat(folder.resolve("checkout/cli/target/evenkeel/.built")).doesNotExist();
    }

    private Run run(Path launcher, Map<String, String> environment) throws Exception {
        var builder = new ProcessBuilder(launcher.toString(), "config", "print")
                .directory(folder.toFile())
                .redirectErrorStream(true);
        builder.environment().remove("EVENKEEL_NO_BUILD");
        builder.environment().put("XDG_DATA_HOME", folder.toString());
        builder.environment().putAll(environment);
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Run(process.waitFor(), out);
    }

    private static void executable(Path file, String script) throws IOException {
        Files.createDirectories(Optional.ofNullable(file.getParent()).orElseThrow());
        Files.writeString(file, script.startsWith("#!") ? script : "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
