package io.evenkeel.reconciler;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.worker.harness.Widget;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tables that make no sense are refused when they are built; the example's test plays a whole one. */
class StateMachineTest {
    private enum State {
        START,
        MIDDLE,
        END
    }

    @Test
    void givenAStateThatNothingLeadsTo_whenBuilt_thenRefusedWithItsName() {
        var table = StateMachine.<Widget, State>startingAt(State.START)
                .edge(State.MIDDLE, State.END, (widget, context) -> true);
        assertThatThrownBy(table::build).hasMessageContaining("nothing leads to [MIDDLE, END] from START");
    }

    @Test
    void givenAnErrorStateThatNothingLeadsOutOf_whenBuilt_thenRefused() {
        var table = StateMachine.<Widget, State>startingAt(State.START)
                .edge(State.START, State.MIDDLE, (widget, context) -> true)
                .errorsTo(State.END, Duration.ofSeconds(5));
        assertThatThrownBy(table::build).hasMessageContaining("nothing leads out of END");
    }

    @Test
    void givenAnEdgeToItself_whenAdded_thenRefused() {
        var table = StateMachine.<Widget, State>startingAt(State.START);
        assertThatThrownBy(() -> table.edge(State.START, State.START, (widget, context) -> true))
                .hasMessageContaining("never come to rest");
    }
}
