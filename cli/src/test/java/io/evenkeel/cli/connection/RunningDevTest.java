package io.evenkeel.cli.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.runtime.process.StartupException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunningDevTest {
    private static final Map<String, String> SETTINGS = Map.of("kafka.bootstrap.servers", "127.0.0.1:9092");

    @TempDir
    private Path folder;

    private Map<String, String> environment = Map.of();

    @BeforeEach
    void useTemporaryFolder() {
        environment = Map.of("XDG_DATA_HOME", folder.toString());
    }

    @Test
    void givenNothingEverRan_whenSearched_thenNoneIsFound() {
        assertThat(RunningDev.find(environment)).isEmpty();
    }

    @Test
    void givenAnnouncedDev_whenSearched_thenItIsFoundUntilItEnds() throws Exception {
        var dev = RunningDev.ofThisProcess(Path.of("/data"), SETTINGS);

        try (AutoCloseable announcement = dev.announce(environment)) {
            assertThat(announcement).isNotNull();
            assertThat(RunningDev.find(environment)).contains(dev);
        }

        assertThat(RunningDev.find(environment)).isEmpty();
    }

    @Test
    void givenDevThatWasKilled_whenSearched_thenItDoesNotCount() throws Exception {
        new RunningDev(Long.MAX_VALUE, Optional.empty(), "/data", SETTINGS).announce(environment);

        assertThat(RunningDev.find(environment)).isEmpty();
    }

    @Test
    void givenNumberOfDeadProcessWasGivenToAnother_whenSearched_thenItDoesNotCount() throws Exception {
        var before = Optional.of(Instant.EPOCH);
        new RunningDev(ProcessHandle.current().pid(), before, "/data", SETTINGS).announce(environment);

        assertThat(RunningDev.find(environment)).isEmpty();
    }

    @Test
    void givenTwoThatRun_whenSearched_thenAPersonMustChoose() throws Exception {
        RunningDev.ofThisProcess(Path.of("/one"), SETTINGS).announce(environment);
        ProcessHandle other = ProcessHandle.current().parent().orElseThrow();
        RunningDev.of(other, Path.of("/two"), SETTINGS).announce(environment);

        assertThatThrownBy(() -> RunningDev.find(environment))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("/one")
                .hasMessageContaining("/two")
                .hasMessageContaining("--bootstrap-servers");
    }
}
