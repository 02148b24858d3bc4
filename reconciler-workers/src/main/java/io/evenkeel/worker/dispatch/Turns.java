package io.evenkeel.worker.dispatch;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Lines that are served in turn, each by one ticket (round robin). A line without tickets is dropped. Not thread-safe.
 *
 * @param <L> what a line is
 */
final class Turns<L extends Tickets> implements Tickets {
    private final Function<Ticket, String> naming;
    private final Supplier<L> making;
    private final Map<String, L> lines = new HashMap<>();
    private final ArrayDeque<String> turns = new ArrayDeque<>();
    private int size;

    /**
     * @param naming the line in which a ticket waits
     * @param making makes an empty line
     */
    Turns(Function<Ticket, String> naming, Supplier<L> making) {
        this.naming = naming;
        this.making = making;
    }

    @Override
    public void add(Ticket ticket) {
        lines.computeIfAbsent(naming.apply(ticket), name -> {
                    turns.add(name);
                    return making.get();
                })
                .add(ticket);
        size++;
    }

    @Override
    public Optional<Ticket> poll() {
        return poll(name -> true);
    }

    /** The next ticket of a line that may be served. */
    Optional<Ticket> poll(Predicate<String> mayBeServed) {
        for (int left = turns.size(); left > 0; left--) {
            String name = turns.remove();
            Optional<L> line = Optional.ofNullable(lines.get(name));
            Optional<Ticket> next = mayBeServed.test(name) ? line.flatMap(Tickets::poll) : Optional.empty();
            if (line.map(Tickets::size).orElse(0) == 0) {
                lines.remove(name);
            } else {
                turns.add(name);
            }
            if (next.isPresent()) {
                size--;
                return next;
            }
        }
        return Optional.empty();
    }

    /** How many tickets wait in lines like these. */
    int count(Predicate<String> names) {
        return lines.entrySet().stream()
                .filter(entry -> names.test(entry.getKey()))
                .mapToInt(entry -> entry.getValue().size())
                .sum();
    }

    @Override
    public int size() {
        return size;
    }
}
