package io.evenkeel.cli.bench.soak;

import java.util.List;

/**
 * What came of some seeds.
 *
 * @param events on the log
 * @param gaps that were marked
 * @param faults requests and watches that were hit on purpose
 * @param restarts of the watcher
 */
public record SoakResult(List<SeedResult> seeds, long events, long gaps, long faults, int restarts) {
    /** Takes a copy. */
    public SoakResult {
        seeds = List.copyOf(seeds);
    }
}
