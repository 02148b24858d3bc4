package io.evenkeel.worker.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** A session of ten seconds, and a consumer that polls. */
class GroupProofTest {
    private static final List<TopicPartition> ONE = List.of(new TopicPartition("objects", 1));

    private long seconds;
    private final GroupProof proof = new GroupProof(
            Duration.ofSeconds(10), () -> Duration.ofSeconds(seconds).toNanos());
    private final GroupProof.Member member = proof.member();
    private int heartbeats;

    @Test
    void givenNothingAssigned_whenAsked_thenNothingIsHeld() {
        poll();

        assertThat(proof.holds(1)).isFalse();
    }

    @Test
    void givenAssigned_whenASessionPassesWithoutAHeartbeat_thenItIsNoLongerHeld() {
        poll();
        member.assigned(ONE);

        assertThat(proof.holds(1)).isTrue();
        assertThat(proof.holds(2)).isFalse();
        seconds = 9;
        poll();
        assertThat(proof.holds(1)).isTrue();
        seconds = 10;
        poll();
        assertThat(proof.holds(1)).isFalse();
    }

    /** As after a stop signal or a long pause: the clock ran on, and no poll came between. */
    @Test
    void givenAProcessThatWasFrozen_whenItWakes_thenItHoldsNothing() {
        poll();
        member.assigned(ONE);
        seconds = 60;

        assertThat(proof.holds(1)).isFalse();
    }

    /** The answer may say that the group does not know the member; the consumer acts on it in its next poll. */
    @Test
    void givenAnAnsweredHeartbeat_whenItWasPolledOnce_thenItProvesNothingYet() {
        poll();
        member.assigned(ONE);
        seconds = 12;
        heartbeats++;
        poll();

        assertThat(proof.holds(1)).isFalse();
        poll();
        assertThat(proof.holds(1)).as("proven up to the poll before the answer").isFalse();
    }

    @Test
    void givenAnAnsweredHeartbeat_whenPolledAgain_thenItProvesTheTimeBeforeItCame() {
        poll();
        member.assigned(ONE);
        seconds = 8;
        poll();
        heartbeats++;
        seconds = 9;
        poll();
        poll();

        seconds = 17;
        assertThat(proof.holds(1)).isTrue();
        seconds = 18;
        assertThat(proof.holds(1)).isFalse();
    }

    @Test
    void givenAssigned_whenRevokedOrLeft_thenNothingIsHeld() {
        poll();
        member.assigned(ONE);
        member.revoked(ONE);
        assertThat(proof.holds(1)).isFalse();

        member.assigned(ONE);
        member.left();
        assertThat(proof.holds(1)).isFalse();
    }

    @Test
    void givenTwoConsumers_whenOneFallsSilent_thenOnlyWhatItHeldIsLost() {
        GroupProof.Member other = proof.member();
        other.polled(0);
        other.assigned(List.of(new TopicPartition("objects", 2)));
        seconds = 8;
        poll();
        member.assigned(ONE);
        seconds = 12;

        assertThat(proof.holds(1)).isTrue();
        assertThat(proof.holds(2)).isFalse();
    }

    private void poll() {
        member.polled(heartbeats);
    }
}
