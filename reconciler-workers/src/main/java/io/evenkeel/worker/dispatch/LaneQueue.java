package io.evenkeel.worker.dispatch;

import java.util.Optional;
import java.util.function.Predicate;

/**
 * The tickets of one lane: first come first served within a namespace, the namespaces of a cluster take turns, and so do
 * clusters. Not thread-safe.
 */
final class LaneQueue {
    private final Turns<Turns<Line>> clusters =
            new Turns<>(Ticket::cluster, () -> new Turns<>(Ticket::namespace, Line::new));

    void add(Ticket ticket) {
        clusters.add(ticket);
    }

    /** The next ticket of a cluster that may have one. */
    Optional<Ticket> poll(Predicate<String> mayRun) {
        return clusters.poll(mayRun);
    }

    /** How many tickets are of clusters like these. */
    int count(Predicate<String> clusters) {
        return this.clusters.count(clusters);
    }

    int size() {
        return clusters.size();
    }
}
