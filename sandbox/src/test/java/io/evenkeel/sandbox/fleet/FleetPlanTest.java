package io.evenkeel.sandbox.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FleetPlanTest {
    @Test
    void givenTwelveClusters_whenNamed_thenNamesSortAsTheyCount() {
        assertThat(new FleetPlan(12, 0, 0, 1).names())
                .hasSize(12)
                .startsWith("sim-00", "sim-01")
                .endsWith("sim-11")
                .isSorted();
    }

    @Test
    void givenObjectsThatDoNotDivide_whenShared_thenNoneIsLost() {
        var plan = new FleetPlan(7, 100, 0, 1);

        assertThat(IntStream.range(0, 7).map(plan::objectsOf).sum()).isEqualTo(100);
    }

    @Test
    void givenNumbersOutOfRange_whenPlanned_thenRefusedWithTheRange() {
        assertThatThrownBy(() -> new FleetPlan(0, 1, 1, 1)).hasMessage("clusters must be 1 to 10000 but is 0");
        assertThatThrownBy(() -> new FleetPlan(1, -1, 1, 1)).hasMessage("objects must be 0 to 10000000 but is -1");
        assertThatThrownBy(() -> new FleetPlan(1, 1, -1, 1))
                .hasMessage("changes per second must be 0 to 1000000 but is -1");
    }
}
