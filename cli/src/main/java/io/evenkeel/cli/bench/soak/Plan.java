package io.evenkeel.cli.bench.soak;

import io.evenkeel.sandbox.fault.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * What happens to the cluster of one seed; the seed alone decides it.
 *
 * @param seed the seed
 * @param kinds what its objects are
 * @param rules faults that are there from the beginning
 * @param parts the acts: before the watcher starts, while it runs, while it is away, while it runs again …
 */
record Plan(long seed, List<SoakKind> kinds, List<Rule> rules, List<List<Act>> parts) {
    /** Seeds that share a watcher, and so its restarts. */
    static final int GROUP = 50;

    private static final int SHORTEST = 30;
    private static final int LONGEST = 60;
    private static final int MOST_RESTARTS = 2;

    /** Takes copies. */
    Plan {
        kinds = List.copyOf(kinds);
        rules = List.copyOf(rules);
        parts = parts.stream().map(List::copyOf).toList();
    }

    /** @param group API group of the custom kind */
    static Plan of(long seed, String group) {
        var random = new SplittableRandom(seed);
        List<SoakKind> kinds = SoakKind.both(group);
        var faults = new FaultDraw(random.split());
        List<Rule> rules =
                kinds.stream().flatMap(kind -> faults.ends(kind).stream()).toList();
        var history = new HistoryDraw(kinds, faults, random.split());
        var parts = new ArrayList<List<Act>>();
        parts.add(history.draw(random.nextInt(12)));
        int restarts = restarts(seed);
        int length = random.nextInt(SHORTEST, LONGEST + 1) / (restarts + 1);
        for (int run = 0; run < restarts; run++) {
            parts.add(history.draw(length));
            parts.add(history.draw(random.nextInt(6)));
        }
        parts.add(Stream.concat(history.draw(length).stream(), history.end().stream())
                .toList());
        return new Plan(seed, kinds, rules, parts);
    }

    /** How often the watcher is restarted: the same for all seeds of a group, so that one alone plays as it did among them. */
    static int restarts(long seed) {
        return new SplittableRandom(Math.floorDiv(seed, GROUP)).nextInt(1, MOST_RESTARTS + 1);
    }

    int acts() {
        return parts.stream().mapToInt(List::size).sum();
    }
}
