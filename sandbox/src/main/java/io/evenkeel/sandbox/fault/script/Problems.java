package io.evenkeel.sandbox.fault.script;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects all that is wrong with a script, so that a person mends it once. Not thread-safe. */
final class Problems {
    private record Problem(int line, String text) {}

    private final List<Problem> found = new ArrayList<>();

    void add(int line, String text) {
        found.add(new Problem(line, text));
    }

    boolean none() {
        return found.isEmpty();
    }

    /** From top to bottom. */
    List<String> lines(String script) {
        return found.stream()
                .sorted(Comparator.comparingInt(Problem::line))
                .map(problem -> script + " line " + problem.line() + ": " + problem.text())
                .toList();
    }
}
