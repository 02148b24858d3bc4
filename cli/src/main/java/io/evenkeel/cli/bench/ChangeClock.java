package io.evenkeel.cli.bench;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures from a write to a place that it reaches, itself or by a newer one of the same object: a handler is
 * level-triggered and need not see each. Thread-safe.
 */
final class ChangeClock {
    private final Map<String, Deque<Sent>> waiting = new HashMap<>();
    private final List<Long> nanos = new ArrayList<>();

    private record Sent(long number, long nanoTime) {}

    /** A write is about to be sent; numbers grow within a name. */
    synchronized void sent(String name, long number, long nanoTime) {
        waiting.computeIfAbsent(name, unused -> new ArrayDeque<>()).add(new Sent(number, nanoTime));
    }

    /** The place shows the state of that write. */
    synchronized void reached(String name, long number, long nanoTime) {
        Deque<Sent> sent = waiting.getOrDefault(name, new ArrayDeque<>());
        while (!sent.isEmpty() && sent.getFirst().number <= number) {
            nanos.add(nanoTime - sent.removeFirst().nanoTime);
        }
    }

    /** How many writes have not reached the place yet. */
    synchronized int unseen() {
        return waiting.values().stream().mapToInt(Deque::size).sum();
    }

    /** All measurements so far. */
    synchronized long[] nanos() {
        return nanos.stream().mapToLong(Long::longValue).toArray();
    }

    /** Forgets all measurements. */
    synchronized void reset() {
        waiting.clear();
        nanos.clear();
    }
}
