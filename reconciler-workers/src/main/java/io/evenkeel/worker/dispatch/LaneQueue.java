package io.evenkeel.worker.dispatch;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** The tickets of one lane: first come first served within a cluster, clusters take turns. Not thread-safe. */
final class LaneQueue {
    private final Map<String, ArrayDeque<Ticket>> byCluster = new HashMap<>();
    private final ArrayDeque<String> turns = new ArrayDeque<>();
    private int size;

    void add(Ticket ticket) {
        ArrayDeque<Ticket> tickets = byCluster.computeIfAbsent(ticket.cluster(), cluster -> {
            turns.add(cluster);
            return new ArrayDeque<>();
        });
        tickets.add(ticket);
        size++;
    }

    /** The next ticket of a cluster that may have one. */
    Optional<Ticket> poll(Predicate<String> mayRun) {
        for (int left = turns.size(); left > 0; left--) {
            String cluster = turns.remove();
            ArrayDeque<Ticket> tickets = byCluster.getOrDefault(cluster, new ArrayDeque<>());
            Optional<Ticket> next = mayRun.test(cluster) ? Optional.ofNullable(tickets.poll()) : Optional.empty();
            if (tickets.isEmpty()) {
                byCluster.remove(cluster);
            } else {
                turns.add(cluster);
            }
            if (next.isPresent()) {
                size--;
                return next;
            }
        }
        return Optional.empty();
    }

    /** How many tickets are of clusters like these. */
    int count(Predicate<String> clusters) {
        return byCluster.entrySet().stream()
                .filter(entry -> clusters.test(entry.getKey()))
                .mapToInt(entry -> entry.getValue().size())
                .sum();
    }

    int size() {
        return size;
    }
}
