package io.evenkeel.runtime.cluster;

/**
 * A definition, or all of a source, that cannot be used.
 *
 * @param where the file, context or Secret
 * @param what what is wrong and what to do about it, for people; without secrets
 */
public record ClusterProblem(String where, String what) {
    @Override
    public String toString() {
        return where + ": " + what;
    }
}
