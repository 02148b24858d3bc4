package io.evenkeel.cli.bench.soak;

import java.util.List;

/**
 * What came of a seed.
 *
 * @param problems lines for people; none if the log is exact
 */
public record SeedResult(long seed, List<String> problems) {
    /** Takes a copy. */
    public SeedResult {
        problems = List.copyOf(problems);
    }

    /** Whether anything is wrong. */
    public boolean failed() {
        return !problems.isEmpty();
    }
}
