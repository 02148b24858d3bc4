package io.evenkeel.worker.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.evenkeel.api.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.NamedType;

/**
 * What a release folded, as a file for each: today's code comes to the same ledger for ever. {@link #main} records one for a
 * new release; files that are there are never changed.
 */
class GoldenHistoryTest {
    private static final Path FOLDER = Path.of("src/test/resources/golden/histories");
    private static final Fold FOLD = new Fold(Duration.ofSeconds(1));
    private static final int SEEDS = 12;
    private static final int STEPS = 60;
    private static final JsonMapper MAPPER = mapper();

    /**
     * One input.
     *
     * @param history to which it belongs
     * @param source its topic; absent for an input of the engine's own
     * @param offset on its topic
     * @param input what happened
     * @param ledger the entry after it, as that release wrote it
     */
    record Recorded(long history, Optional<Source> source, long offset, Input input, String ledger) {}

    /** Tells the inputs apart by the names of their classes. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "happened")
    private interface Named {}

    static List<Path> releases() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("releases")
    void givenTheHistoriesOfARelease_whenFoldedAgain_thenTheLedgerIsTheSameAfterEachInput(Path file)
            throws IOException {
        long history = -1;
        LedgerEntry entry = LedgerEntry.NEW;
        int folded = 0;
        for (String line : Files.readAllLines(file)) {
            Recorded recorded = MAPPER.readValue(line, Recorded.class);
            entry = recorded.history() == history ? entry : LedgerEntry.NEW;
            history = recorded.history();
            entry = fold(entry, recorded);
            folded++;
            assertThat(entry)
                    .as("%s, input %d: %s", file.getFileName(), folded, recorded.input())
                    .isEqualTo(LedgerFormat.read(HexFormat.of().parseHex(recorded.ledger())));
        }
        assertThat(folded).isGreaterThan(200);
    }

    @Test
    void givenAHistory_whenAnInputIsLeftOut_thenTheLedgersDiffer() throws IOException {
        List<Recorded> all = new ArrayList<>();
        for (String line : Files.readAllLines(releases().getFirst())) {
            all.add(MAPPER.readValue(line, Recorded.class));
        }
        LedgerEntry first = fold(LedgerEntry.NEW, all.get(1));
        assertThat(first)
                .isNotEqualTo(
                        LedgerFormat.read(HexFormat.of().parseHex(all.get(1).ledger())));
    }

    private static LedgerEntry fold(LedgerEntry entry, Recorded recorded) {
        return recorded.source()
                .map(source -> FOLD.fold(entry, source, recorded.offset(), recorded.input()))
                .orElseGet(() -> FOLD.fold(entry, recorded.input()))
                .entry();
    }

    /**
     * Records histories of today's code.
     *
     * @param arguments the release, which names the file
     */
    public static void main(String[] arguments) throws IOException {
        Path file = FOLDER.resolve(arguments[0] + ".jsonl");
        if (Files.exists(file)) {
            throw new IllegalArgumentException(file + " is there and must not change: name a new release");
        }
        var lines = new ArrayList<String>();
        for (long seed = 1; seed <= SEEDS; seed++) {
            var simulation = new KeySimulation(seed);
            simulation.play(STEPS);
            LedgerEntry entry = LedgerEntry.NEW;
            for (KeySimulation.Folded folded : simulation.history) {
                var recorded = new Recorded(seed, folded.source(), folded.offset(), folded.input(), "");
                entry = fold(entry, recorded);
                lines.add(MAPPER.writeValueAsString(new Recorded(
                        seed,
                        folded.source(),
                        folded.offset(),
                        folded.input(),
                        HexFormat.of().formatHex(LedgerFormat.write(entry)))));
            }
        }
        Files.createDirectories(FOLDER);
        Files.write(file, lines, StandardCharsets.UTF_8);
    }

    private static JsonMapper mapper() {
        JsonMapper.Builder builder = Json.mapper().rebuild().addMixIn(Input.class, Named.class);
        for (Class<?> input : Input.class.getPermittedSubclasses()) {
            builder.registerSubtypes(new NamedType(input, input.getSimpleName()));
        }
        return builder.build();
    }
}
