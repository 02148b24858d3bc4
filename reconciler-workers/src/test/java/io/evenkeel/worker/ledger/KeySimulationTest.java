package io.evenkeel.worker.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KeySimulationTest {
    private static final int SEEDS = 300;
    private static final int STEPS = 200;

    @Test
    void givenCrashesRepetitionsAndDelays_whenPlayedFromManySeeds_thenNothingIsLostDoubledOrLeftOver() {
        Set<String> transitions = new HashSet<>();
        for (long seed = 1; seed <= SEEDS; seed++) {
            var simulation = new KeySimulation(seed);
            try {
                simulation.play(STEPS);
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
            simulation.history.forEach(
                    folded -> transitions.add(folded.input().getClass().getSimpleName() + " -> "
                            + folded.after().state().getClass().getSimpleName()));
        }
        assertThat(transitions)
                .contains(
                        "Finished -> Idle",
                        "Finished -> Waiting",
                        "Finished -> Parked",
                        "Finished -> Pending",
                        "Due -> Pending",
                        "PrimaryRemoved -> Running",
                        "PrimaryRemoved -> Idle",
                        "SecondaryChanged -> Waiting");
    }
}
