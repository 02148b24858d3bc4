package io.evenkeel.worker.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.worker.harness.HandClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class MembershipTest {
    private final HandClock clock = new HandClock(TaskBench.START);
    private final Membership membership = new Membership(clock, Duration.ofSeconds(6), partition -> partition < 10);

    @Test
    void givenPartitionsOfOneRebalance_whenTheyCloseOneAfterAnother_thenTheyShareOneDeadline() {
        assertThat(membership.drainTime(1)).isEqualTo(Duration.ofSeconds(6));
        clock.pass(Duration.ofSeconds(5));
        assertThat(membership.drainTime(2)).isEqualTo(Duration.ofSeconds(1));
        clock.pass(Duration.ofSeconds(2));
        assertThat(membership.drainTime(3)).isEqualTo(Duration.ZERO);
    }

    @Test
    void givenALaterRebalance_whenAPartitionCloses_thenItHasAllItsTime() {
        membership.drainTime(1);
        clock.pass(Duration.ofMinutes(1));

        assertThat(membership.drainTime(1)).isEqualTo(Duration.ofSeconds(6));
    }

    @Test
    void givenAPartitionThatWasLost_whenItCloses_thenThereIsNoTimeAndNoWrite() {
        assertThat(membership.drainTime(11)).isEqualTo(Duration.ZERO);
        assertThat(membership.mayWrite(11)).isFalse();
        assertThat(membership.mayWrite(1)).isTrue();
    }
}
