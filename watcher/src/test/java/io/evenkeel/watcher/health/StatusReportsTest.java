package io.evenkeel.watcher.health;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.ShardKey;
import io.evenkeel.api.json.Json;
import io.evenkeel.api.record.ShardState;
import io.evenkeel.api.record.WatchStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

final class StatusReportsTest {
    private static final Instant START = Instant.parse("2026-11-30T09:00:00Z");
    private static final ShardKey PODS = new ShardKey("eu-1", "", "pods");
    private static final ShardKey SERVICES = new ShardKey("eu-1", "", "services");
    private static final ShardKey ELSEWHERE = new ShardKey("eu-2", "", "pods");

    private final List<ShardKey> configured = new ArrayList<>(List.of(PODS, SERVICES));
    private final CompletableFuture<Set<ShardKey>> former = new CompletableFuture<>();
    private Instant now = START;
    private final ShardStatuses statuses = new ShardStatuses(() -> now, shard -> shard.equals(ELSEWHERE) ? 1 : 0);
    private final StatusReports reports =
            new StatusReports(0, () -> configured, former, statuses, () -> now, "watch-status", "me");

    StatusReportsTest() {
        set(PODS, ShardState.SYNCING, "");
        set(SERVICES, ShardState.SYNCING, "410 Expired");
    }

    @Test
    void givenNewPublisher_whenAsked_thenEveryShardIsReportedAtOnce() {
        assertThat(reports.areDue()).isTrue();

        List<WatchStatus> said = said();

        assertThat(said).extracting(WatchStatus::key).containsExactly(PODS, SERVICES);
        assertThat(said.getFirst().error()).isEmpty();
        assertThat(said.getFirst().since()).isEqualTo(START);
        assertThat(said.getFirst().owner()).isEqualTo("me");
        assertThat(said.getFirst().reportMillis()).isEqualTo(10_000);
        assertThat(said.getLast().error()).contains("410 Expired");
        assertThat(reports.areDue()).isFalse();
        assertThat(reports.take()).isEmpty();
    }

    @Test
    void givenChangeOfState_whenAsked_thenThatShardAloneIsReported() {
        said();
        now = START.plusSeconds(2);
        set(PODS, ShardState.LIVE, "");

        assertThat(reports.areDue()).isTrue();
        assertThat(said()).singleElement().satisfies(status -> {
            assertThat(status.key()).isEqualTo(PODS);
            assertThat(status.state()).isEqualTo(ShardState.LIVE);
            assertThat(status.since()).isEqualTo(now);
        });
        set(PODS, ShardState.LIVE, "");
        assertThat(reports.areDue()).isFalse();
    }

    @Test
    void givenChangeOnAnotherPartition_whenAsked_thenItIsLeftToItsOwner() {
        said();
        set(ELSEWHERE, ShardState.LIVE, "");
        assertThat(reports.areDue()).isFalse();
    }

    @Test
    void givenProgress_whenTheIntervalHasPassed_thenAllAreReportedWithIt() {
        said();
        ShardProgress progress = statuses.progress(PODS);
        progress.proven(START.plusSeconds(5));
        progress.event(START.plusSeconds(4));
        progress.read(START.plusSeconds(9));
        assertThat(reports.areDue()).isFalse();

        now = START.plusSeconds(10);

        assertThat(reports.areDue()).isTrue();
        List<WatchStatus> said = said();
        assertThat(said).hasSize(2);
        assertThat(said.getFirst().currentAt()).contains(START.plusSeconds(5));
        assertThat(said.getFirst().lastEventAt()).contains(START.plusSeconds(4));
        assertThat(said.getFirst().lagMillis()).isEqualTo(1_000);
        assertThat(said.getLast().currentAt()).isEmpty();
        assertThat(said.getLast().lagMillis()).isZero();
    }

    @Test
    void givenShardIsNoLongerConfigured_whenTheIntervalHasPassed_thenItIsRemovedOnce() {
        said();
        configured.remove(SERVICES);
        statuses.forget(SERVICES);

        now = START.plusSeconds(10);
        assertThat(tombstones()).containsExactly(SERVICES);
        now = START.plusSeconds(20);
        assertThat(tombstones()).isEmpty();
    }

    @Test
    void givenShardsOfAnEarlierConfiguration_whenTheyAreKnown_thenThoseThatAreNotOursAnyMoreAreRemoved() {
        var gone = new ShardKey("eu-1", "apps", "deployments");
        said();
        former.complete(Set.of(gone, PODS));
        now = START.plusSeconds(10);
        assertThat(tombstones()).containsExactly(gone);
    }

    @Test
    void givenManyShards_whenReported_thenTheyAreReportedMoreSeldomAndSaySo() {
        IntStream.range(0, 10_000).forEach(i -> set(new ShardKey("eu-1", "", "r" + i), ShardState.LIVE, ""));
        assertThat(said().getFirst().reportMillis()).isEqualTo(50_000);
        now = START.plusSeconds(49);
        assertThat(reports.areDue()).isFalse();
        now = START.plusSeconds(50);
        assertThat(reports.areDue()).isTrue();
    }

    @Test
    void givenReport_whenThreeAreMissing_thenItIsStale() {
        WatchStatus status = said().getFirst();
        assertThat(status.isStale(START.plusSeconds(30))).isFalse();
        assertThat(status.isStale(START.plusSeconds(31))).isTrue();
    }

    @Test
    void givenInputsThatWait_whenSomeAreSettled_thenTheLagIsThatOfTheRest() {
        ShardProgress progress = statuses.progress(PODS);
        progress.read(START);
        progress.read(START.plusSeconds(3));
        progress.read(START.plusSeconds(4));
        assertThat(progress.lag(START.plusSeconds(5))).isEqualTo(Duration.ofSeconds(5));
        progress.settle(2, START.plusSeconds(3));
        assertThat(progress.lag(START.plusSeconds(5))).isEqualTo(Duration.ofSeconds(2));
        progress.settle(1, START.plusSeconds(4));
        assertThat(progress.lag(START.plusSeconds(5))).isZero();
        progress.read(START.plusSeconds(6));
        progress.begin();
        assertThat(progress.lag(START.plusSeconds(9))).isZero();
    }

    private List<WatchStatus> said() {
        return reports.take().stream()
                .map(record -> Json.read(record.value(), WatchStatus.class))
                .toList();
    }

    private List<ShardKey> tombstones() {
        return reports.take().stream()
                .filter(record -> record.value() == null)
                .map(StatusReportsTest::shard)
                .toList();
    }

    private static ShardKey shard(ProducerRecord<byte[], byte[]> record) {
        return ShardKey.parse(new String(record.key(), UTF_8));
    }

    private void set(ShardKey shard, ShardState state, String detail) {
        statuses.begin(shard);
        statuses.set(shard, state, detail);
    }
}
