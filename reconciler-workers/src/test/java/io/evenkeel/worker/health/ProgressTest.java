package io.evenkeel.worker.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.worker.ledger.LedgerEntry;
import io.evenkeel.worker.ledger.LedgerFormat;
import io.evenkeel.worker.ledger.UnknownFormatException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressTest {
    private final AtomicLong now = new AtomicLong();
    private final Progress progress = new Progress(now::get);

    @Test
    void givenAPartitionWithoutATurn_whenFiveMinutesPass_thenItIsStuckUntilItTurnsOrIsGivenUp() {
        Progress.Turns first = progress.begin(3);
        Progress.Turns second = progress.begin(4);
        pass(Duration.ofMinutes(5));
        assertThat(progress.stuckBecause()).isEmpty();
        second.turned();
        pass(Duration.ofSeconds(1));
        assertThat(progress.stuckBecause()).contains("partition 3 had no turn for 5 min");
        first.turned();
        assertThat(progress.stuckBecause()).isEmpty();
        pass(Duration.ofMinutes(6));
        first.end();
        second.end();
        assertThat(progress.stuckBecause()).isEmpty();
    }

    @Test
    void givenThreadsThatDieOneAfterAnother_whenNoneHadATurn_thenNothingIsHopedFor() {
        for (int i = 0; i < 19; i++) {
            assertThat(progress.died(new IllegalStateException("broken store"))).isTrue();
        }
        assertThat(progress.stuckBecause()).isEmpty();
        progress.died(new IllegalStateException("broken store"));
        assertThat(progress.stuckBecause().orElseThrow())
                .contains("again and again")
                .contains("broken store");
        progress.begin(1).turned();
        assertThat(progress.stuckBecause()).isEmpty();
    }

    @Test
    void givenStateOfALaterProgram_whenAThreadDiesOfIt_thenThisProgramGivesUpAtOnceAndSaysWhatToDo() {
        byte[] later = LedgerFormat.write(LedgerEntry.NEW);
        later[0] = LedgerFormat.VERSION + 1;
        try {
            LedgerFormat.read(later);
        } catch (UnknownFormatException e) {
            assertThat(progress.died(new IllegalStateException("task failed", e)))
                    .isFalse();
        }
        assertThat(progress.refusal().orElseThrow()).contains("format 3").contains("newer one");
        assertThat(progress.stuckBecause()).isEqualTo(progress.refusal());
    }

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }
}
