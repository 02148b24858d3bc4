package io.evenkeel.runtime.monitoring;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** What a process says about its health. Thread-safe. */
public final class HealthChecks {
    /** What a failing check means. */
    public enum Kind {
        /** The process can't recover by itself and should be restarted. */
        LIVE,
        /** The process can't do its work now, but may later. */
        READY
    }

    private final List<Check> checks = new CopyOnWriteArrayList<>();

    private record Check(Kind kind, String name, Supplier<Optional<String>> problem) {}

    /**
     * Adds a check.
     *
     * @param name one word for the part that is checked
     * @param problem what is wrong, empty if nothing is; must answer at once and may be called by any thread
     */
    public void add(Kind kind, String name, Supplier<Optional<String>> problem) {
        checks.add(new Check(kind, name, problem));
    }

    /**
     * Runs the checks.
     *
     * @param kinds which
     * @return one line per failing check, {@code <name>: <problem>}; empty if all is well
     */
    public List<String> failing(Kind... kinds) {
        var failing = new ArrayList<String>();
        for (Check check : checks) {
            if (List.of(kinds).contains(check.kind)) {
                problem(check).ifPresent(problem -> failing.add(check.name + ": " + problem));
            }
        }
        return failing;
    }

    private static Optional<String> problem(Check check) {
        try {
            return check.problem.get();
        } catch (RuntimeException e) {
            return Optional.of("the check failed with " + e);
        }
    }
}
