package io.evenkeel.cli.bench.soak;

/**
 * Versions that a marker says may be missing from a shard.
 *
 * @param after the last one before it
 * @param until its last one
 */
record Window(long after, long until) {
    boolean covers(long version) {
        return version > after && version <= until;
    }
}
