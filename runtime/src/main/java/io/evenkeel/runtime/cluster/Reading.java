package io.evenkeel.runtime.cluster;

import java.util.Map;

/**
 * What one look at a source found.
 *
 * @param found by place, which is where a definition stays the same one: a file, a context, a Secret
 */
record Reading(Map<String, Found> found) {
    Reading {
        found = Map.copyOf(found);
    }

    /** What lies at a place; exactly one of these. */
    sealed interface Found {
        /** A definition. */
        record Good(ClusterDefinition definition) implements Found {}

        /** Something that cannot be used; what was good there before stays. */
        record Bad(String problem) implements Found {}

        /** Nothing, although something should be there; what was good there before goes. */
        record Missing(String problem) implements Found {}
    }
}
