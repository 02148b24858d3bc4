package io.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** That the measurements run to their end and tell what must hold whatever the machine; no figure decides anything. */
class WorkBenchIT {
    @Test
    void givenFewKeys_whenMeasured_thenEachFieldIsThereAndWhatMustHoldHolds(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("work.json");

        CommandRun run = CommandRun.of(
                Map.of(),
                "bench",
                "work",
                "--only=noop,restart,storm",
                "--keys=100",
                "--many-keys=100",
                "--warm-ups=0",
                "--out=" + file);

        assertThat(run.exitCode()).as(run.err()).isZero();
        List<String> lines = run.out().lines().toList();
        assertThat(Files.readString(file).strip()).isEqualTo(lines.getLast());
        JsonNode result = Json.mapper().readTree(lines.getLast());
        assertThat(Stream.of(
                        "noop_reconciles_per_s",
                        "noop_cold_reconciles_per_s",
                        "restart_first_change_s",
                        "restart_first_change_s_1m",
                        "storm_ms_p50"))
                .allSatisfy(field ->
                        assertThat(result.path(field).asDouble(0)).as(field).isPositive());
        assertThat(result.path("restart_done_again").asInt(-1)).isZero();
        assertThat(result.path("restart_lists").asInt(-1)).isZero();
        assertThat(result.path("storm_handled").asDouble(0)).isEqualTo(1.0);
        assertThat(run.err()).contains("bench: restart amid 100 changes");
    }

    @Test
    void givenTooFewKeys_whenMeasured_thenTheLeastIsSaid() {
        CommandRun run = CommandRun.of(Map.of(), "bench", "work", "--keys=5");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("--keys and --many-keys must be 100 or more");
    }
}
