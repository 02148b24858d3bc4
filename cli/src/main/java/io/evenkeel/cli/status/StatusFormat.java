package io.evenkeel.cli.status;

import java.util.List;

/** How shards are printed. */
interface StatusFormat {
    /**
     * Prints all shards at one time.
     *
     * @param shown those that were asked for, the worst first
     * @param all those and the ones that were filtered out by their state
     */
    void print(List<ShardView> shown, List<ShardView> all);

    /** Prints one of them again, because it changed. */
    void printChanged(ShardView view);
}
