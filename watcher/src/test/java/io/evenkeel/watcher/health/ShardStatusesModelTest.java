package io.evenkeel.watcher.health;

import io.evenkeel.api.ShardKey;
import io.evenkeel.api.record.ShardState;
import io.evenkeel.watcher.Interleavings;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** A watch says what it does while the publisher reports, in interleavings chosen one after another. */
@Isolated // what is played is instrumented, for all threads of this process
final class ShardStatusesModelTest {
    private static final ShardKey SHARD = new ShardKey("eu-1", "", "pods");
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.EPOCH);

    /** Else it would be told only with the next regular report, up to 10 s later. */
    @Test
    void givenAWatchThatSaysWhatItDoes_whenReportsAreTakenMeanwhile_thenItIsReported() {
        Interleavings.play(() -> {
            var statuses = new ShardStatuses(CLOCK, shard -> 0);
            statuses.begin(SHARD);
            Thread watch = Interleavings.thread(() -> statuses.set(SHARD, ShardState.SYNCING, "410"));
            Optional<String> early = report(statuses);
            watch.join();
            Optional<String> last = report(statuses).or(() -> early);
            Interleavings.check(last.equals(Optional.of("410")), "why it syncs is not told; told is " + last);
        });
    }

    private static Optional<String> report(ShardStatuses statuses) {
        return statuses.takeChanges(0).contains(SHARD)
                ? statuses.find(SHARD).map(ShardStatus::detail)
                : Optional.empty();
    }
}
