package io.evenkeel.worker.dispatch;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

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

    Optional<Ticket> poll() {
        while (!turns.isEmpty()) {
            String cluster = turns.remove();
            ArrayDeque<Ticket> tickets = byCluster.getOrDefault(cluster, new ArrayDeque<>());
            Optional<Ticket> next = Optional.ofNullable(tickets.poll());
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

    int size() {
        return size;
    }
}
