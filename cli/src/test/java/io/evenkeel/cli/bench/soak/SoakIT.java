package io.evenkeel.cli.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.sandbox.kafka.EmbeddedKafka;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random histories, with faults and restarts: the log tells each of them as it was. {@code bench soak} plays as many as one likes. */
final class SoakIT {
    private static final int GROUPS = 1;
    private static final EmbeddedKafka KAFKA = EmbeddedKafka.builder().build().start();

    @AfterAll
    static void stopKafka() {
        KAFKA.close();
    }

    static LongStream groups() {
        return LongStream.range(0, GROUPS).map(group -> group * Plan.GROUP);
    }

    @ParameterizedTest(name = "seeds from {0}")
    @MethodSource("groups")
    void givenAnyHistory_whenItIsWatchedThroughFaultsAndRestarts_thenTheLogIsExact(long first) throws Exception {
        List<Long> seeds = SoakGroup.from(first, Long.MAX_VALUE);

        SoakResult result = new SoakGroup(KAFKA.bootstrapServers(), "soak-" + first + ".").play(seeds);

        assertThat(result.seeds()).hasSize(Plan.GROUP);
        assertThat(result.events()).isPositive();
        assertThat(result.gaps()).isPositive();
        assertThat(result.faults()).isPositive();
        assertThat(result.seeds().stream().filter(SeedResult::failed).toList())
                .as(() -> explain(result))
                .isEmpty();
    }

    private static String explain(SoakResult result) {
        return result.seeds().stream()
                .filter(SeedResult::failed)
                .map(seed -> "./evenkeel bench soak --seeds 1 --seed " + seed.seed() + "\n"
                        + String.join("\n", seed.problems()))
                .collect(Collectors.joining("\n", "\n", "\n"));
    }
}
