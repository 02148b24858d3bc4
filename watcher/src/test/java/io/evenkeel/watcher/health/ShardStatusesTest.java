package io.evenkeel.watcher.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.ShardKey;
import io.evenkeel.api.record.ShardState;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ShardStatusesTest {
    private static final ShardKey SHARD = new ShardKey("eu-1", "", "pods");

    private final List<Optional<ShardState>> atAnnouncement = new ArrayList<>();
    private final ShardStatuses statuses = new ShardStatuses(InstantSource.fixed(Instant.EPOCH), this::partitionOf);

    /** It is asked for when a change is about to be announced: a publisher that takes it at once reads what is there now. */
    private int partitionOf(ShardKey shard) {
        atAnnouncement.add(statuses.find(shard).map(ShardStatus::state));
        return 0;
    }

    @Test
    void givenAChangeOfState_whenItIsAnnounced_thenTheNewStateIsThereAlready() {
        statuses.begin(SHARD);
        statuses.set(SHARD, ShardState.LIVE, "");

        assertThat(atAnnouncement).containsExactly(Optional.of(ShardState.SYNCING), Optional.of(ShardState.LIVE));
    }

    @Test
    void givenAShardThatWasForgotten_whenItsWatchStillSetsAState_thenItStaysForgotten() {
        statuses.begin(SHARD);
        statuses.takeChanges(0);
        statuses.forget(SHARD);

        statuses.set(SHARD, ShardState.LIVE, "");

        assertThat(statuses.all()).isEmpty();
        assertThat(statuses.hasChanges(0)).isFalse();
    }
}
