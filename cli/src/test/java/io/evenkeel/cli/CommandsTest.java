package io.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandsTest {
    @TempDir
    private Path folder;

    @Test
    void givenSettingsFromAllSources_whenPrinted_thenOriginsAreShown() throws IOException {
        Path file = Files.writeString(folder.resolve("f.yaml"), "topics:\n  partitions: 24\n");

        CommandRun run = CommandRun.of(
                Map.of("EVENKEEL_HTTP_PORT", "0", "XDG_DATA_HOME", folder.toString()),
                "config",
                "print",
                "--show-origin",
                "--config",
                file.toString(),
                "--set",
                "kafka.ssl.key.password=abc");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .containsPattern("topics\\.partitions: 24 +# " + file + " line 2")
                .containsPattern("http\\.port: 0 +# variable EVENKEEL_HTTP_PORT")
                .containsPattern("kafka\\.ssl\\.key\\.password: \"\\[hidden]\" +# flag --set")
                .containsPattern("topics\\.prefix: evenkeel\\. +# default")
                .doesNotContain("abc");
    }

    @Test
    void givenUnknownKey_whenAnyCommandReadsSettings_thenNearestIsNamedAndExitCodeIsUsage() throws IOException {
        Path file = Files.writeString(folder.resolve("f.yaml"), "topics.partition: 24\n");

        CommandRun run = CommandRun.of(Map.of(), "config", "print", "--config", file.toString());

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .isEqualToNormalizingNewlines("evenkeel: unknown key topics.partition in " + file
                        + " line 1; did you mean topics.partitions?\n");
    }

    @Test
    void givenUnknownOption_whenRun_thenLikelyOneIsNamedAndExitCodeIsUsage() {
        CommandRun run = CommandRun.of(Map.of(), "events", "--folow");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("--folow").contains("--follow");
    }

    @Test
    void givenNoKafka_whenNoneIsConfiguredAndNoDevRuns_thenBothWaysOutAreNamed() {
        CommandRun run = CommandRun.of(Map.of("XDG_DATA_HOME", folder.toString()), "events");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("kafka.bootstrap.servers").contains("evenkeel dev");
    }

    @Test
    void givenBadStartingPoint_whenRun_thenFormsAreNamed() {
        CommandRun run = CommandRun.of(Map.of(), "events", "--from", "yesterday");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("'yesterday'").contains("beginning").contains("15m");
    }

    @Test
    void givenCompletion_whenPrinted_thenItKnowsTheCommands() {
        assertThat(CommandRun.of(Map.of(), "completion").out())
                .contains("dead-letters")
                .contains("redrive");
    }

    @Test
    void helpNamesEveryExitCode() {
        CommandRun run = CommandRun.of(Map.of(), "--help");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("0 ok, 1 differences, 2 usage, 3 error, 4 unreachable");
    }
}
