package io.evenkeel.watcher.health;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.evenkeel.api.ShardKey;
import io.evenkeel.api.json.Json;
import io.evenkeel.api.record.WatchStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * What the owner of one partition has to say on {@code watch-status} about its shards: each change of state, all of them now
 * and then, and tombstones for those that are not configured any more. It is said in the partition's transactions, so that a
 * process that was replaced cannot speak up. If a transaction fails, a new one of these begins and says everything again.
 * Not thread-safe.
 */
public final class StatusReports {
    private static final Duration SHORTEST_INTERVAL = Duration.ofSeconds(10);
    private static final int REPORTS_PER_SECOND = 200;
    private static final int LONGEST_ERROR = 2_000;

    private final int partition;
    private final Supplier<List<ShardKey>> shards;
    private final ShardStatuses statuses;
    private final InstantSource clock;
    private final String topic;
    private final String owner;
    private final Set<ShardKey> reported = new HashSet<>();
    private Optional<CompletableFuture<Set<ShardKey>>> former;
    private Instant next = Instant.MIN;

    /**
     * @param partition of {@code watch-state}
     * @param shards those of the partition that are configured now
     * @param former those of the partition that lie on the topic already
     * @param topic full name of {@code watch-status}
     * @param owner id of this process
     */
    public StatusReports(
            int partition,
            Supplier<List<ShardKey>> shards,
            CompletableFuture<Set<ShardKey>> former,
            ShardStatuses statuses,
            InstantSource clock,
            String topic,
            String owner) {
        this.partition = partition;
        this.shards = shards;
        this.former = Optional.of(former);
        this.statuses = statuses;
        this.clock = clock;
        this.topic = topic;
        this.owner = owner;
    }

    /** Whether there is something to say. */
    public boolean areDue() {
        return statuses.hasChanges(partition) || !clock.instant().isBefore(next);
    }

    /** What there is to say; the caller has to put it on the log. */
    public List<ProducerRecord<byte[], byte[]>> take() {
        Instant now = clock.instant();
        Set<ShardKey> changed = statuses.takeChanges(partition);
        var records = new ArrayList<ProducerRecord<byte[], byte[]>>();
        if (now.isBefore(next)) {
            changed.forEach(shard -> report(shard, now).ifPresent(records::add));
            return records;
        }
        next = now.plus(interval());
        List<ShardKey> configured = shards.get();
        configured.forEach(shard -> report(shard, now).ifPresent(records::add));
        former.filter(CompletableFuture::isDone).ifPresent(known -> {
            reported.addAll(known.join());
            former = Optional.empty();
        });
        var removed = new HashSet<ShardKey>(reported);
        configured.forEach(removed::remove);
        removed.forEach(shard -> records.add(record(shard, Optional.empty())));
        reported.removeAll(removed);
        return records;
    }

    /** How far a shard has come. */
    public ShardProgress progress(ShardKey shard) {
        return statuses.progress(shard);
    }

    /** The more shards this process has, the more seldom it says how they fare. */
    private Duration interval() {
        Duration paced = Duration.ofSeconds(statuses.count() / REPORTS_PER_SECOND);
        return paced.compareTo(SHORTEST_INTERVAL) > 0 ? paced : SHORTEST_INTERVAL;
    }

    private Optional<ProducerRecord<byte[], byte[]>> report(ShardKey shard, Instant now) {
        return statuses.find(shard).map(status -> {
            reported.add(shard);
            return record(shard, Optional.of(Json.write(status(shard, status, now))));
        });
    }

    private WatchStatus status(ShardKey shard, ShardStatus status, Instant now) {
        ShardProgress progress = statuses.progress(shard);
        return new WatchStatus(
                shard.cluster(),
                shard.group(),
                shard.resource(),
                status.state(),
                status.since(),
                progress.lag(now).toMillis(),
                progress.lastEventAt(),
                progress.currentAt(),
                Optional.of(status.detail()).filter(detail -> !detail.isEmpty()).map(StatusReports::shortened),
                owner,
                now,
                interval().toMillis());
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST_ERROR ? text : text.substring(0, LONGEST_ERROR);
    }

    private ProducerRecord<byte[], byte[]> record(ShardKey shard, Optional<byte[]> value) {
        return new ProducerRecord<>(topic, 0, shard.toString().getBytes(UTF_8), value.orElse(null));
    }
}
