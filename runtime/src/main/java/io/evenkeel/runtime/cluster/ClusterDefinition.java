package io.evenkeel.runtime.cluster;

import java.util.Optional;

/**
 * A cluster under the id that we give it. Two definitions are equal if nothing has to be done to go from one to the other.
 *
 * @param name id of the cluster; part of every key, so it must never change
 * @param access how to reach and convince its API server
 * @param namespace the only namespace that is watched; absent for all of them and what lies in none
 */
public record ClusterDefinition(String name, ClusterAccess access, Optional<String> namespace) {
    /** What an id looks like, so that "must have …" makes a sentence. */
    static final String ALLOWED =
            "1 to 63 lower case letters, digits, '-' or '.', and start and end with a letter or digit";

    /** @throws IllegalArgumentException if the name can't be part of a key */
    public ClusterDefinition {
        if (!isName(name)) {
            throw new IllegalArgumentException("the id of a cluster must have " + ALLOWED + ", but is '" + name + "'");
        }
    }

    /** Whether a text can be the id of a cluster. */
    static boolean isName(String text) {
        return text.matches("[a-z0-9]([-.a-z0-9]{0,61}[a-z0-9])?");
    }
}
