package io.evenkeel.cli.status;

import io.evenkeel.api.json.Json;
import io.evenkeel.api.json.MalformedRecordException;
import io.evenkeel.api.record.WatchStatus;
import io.evenkeel.cli.terminal.Terminal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The newest report of each shard, and what of it was shown. Not thread-safe. */
final class StatusBoard {
    private final Terminal terminal;
    private final StatusFormat format;
    private final List<String> clusters;
    private final List<ShardView.Condition> states;
    private final Map<String, WatchStatus> reports = new TreeMap<>();
    private final Map<String, String> unreadable = new TreeMap<>();
    private final Map<String, Shown> shown = new HashMap<>();
    private boolean begun;

    /** What of a shard is worth another line when it changes: times alone are not. */
    private record Shown(ShardView.Condition condition, Optional<String> error) {}

    /**
     * @param clusters of which shards are shown; empty for all
     * @param states in which shards are shown; empty for all
     */
    StatusBoard(Terminal terminal, StatusFormat format, List<String> clusters, List<ShardView.Condition> states) {
        this.terminal = terminal;
        this.format = format;
        this.clusters = List.copyOf(clusters);
        this.states = List.copyOf(states);
    }

    /** Takes a record of the topic; there is always more to take. */
    boolean take(ConsumerRecord<byte[], byte[]> record) {
        String key = new String(record.key(), StandardCharsets.UTF_8);
        reports.remove(key);
        unreadable.remove(key);
        if (record.value() != null) {
            try {
                WatchStatus report = Json.read(record.value(), WatchStatus.class);
                if (clusters.isEmpty() || clusters.contains(report.cluster())) {
                    reports.put(key, report);
                }
            } catch (MalformedRecordException e) {
                unreadable.put(key, String.valueOf(e.getMessage()));
            }
        }
        return true;
    }

    /** Prints everything the first time, and later what has changed since; says to go on. */
    boolean show() {
        Instant now = terminal.clock().instant();
        List<ShardView> all = reports.values().stream()
                .map(report -> ShardView.at(now, report))
                .sorted(ShardView.WORST_FIRST)
                .toList();
        List<ShardView> chosen = all.stream()
                .filter(view -> states.isEmpty() || states.contains(view.condition()))
                .toList();
        if (!begun) {
            begun = true;
            printFirst(chosen, all);
        } else {
            chosen.stream()
                    .filter(view -> !Optional.of(shown(view)).equals(Optional.ofNullable(shown.get(key(view)))))
                    .forEach(format::printChanged);
        }
        shown.clear();
        all.forEach(view -> shown.put(key(view), shown(view)));
        terminal.out().flush();
        return true;
    }

    /** Whether there are shards and nobody needs to look at any of them. */
    boolean isWell() {
        Instant now = terminal.clock().instant();
        return unreadable.isEmpty()
                && !reports.isEmpty()
                && reports.values().stream()
                        .allMatch(report -> ShardView.at(now, report).isWell());
    }

    private void printFirst(List<ShardView> chosen, List<ShardView> all) {
        if (all.isEmpty()) {
            terminal.err()
                    .println("No shard" + (clusters.isEmpty() ? "" : " of cluster " + String.join(", ", clusters))
                            + " has a status: no watcher has watched it yet.");
        } else {
            format.print(chosen, all);
        }
        unreadable.forEach(
                (key, error) -> terminal.err().println("evenkeel: the status of " + key + " can't be read: " + error));
        terminal.err().flush();
    }

    private static String key(ShardView view) {
        return view.report().key().toString();
    }

    private static Shown shown(ShardView view) {
        return new Shown(view.condition(), view.error());
    }
}
