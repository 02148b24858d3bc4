package io.evenkeel.runtime.cluster;

import io.evenkeel.runtime.process.StartupException;
import java.util.HashMap;
import java.util.Map;

/** Proves that definitions can be used, each once, because certificates cost time to read. Used by one thread. */
final class CheckedDefinitions {
    private Map<String, ClusterAccess> proven = Map.of();
    private final Map<String, ClusterAccess> seen = new HashMap<>();

    /** A look at all definitions begins. */
    void begin() {
        seen.clear();
    }

    /** The look was complete: what was not seen is forgotten. */
    void end() {
        proven = Map.copyOf(seen);
    }

    /**
     * What was found at a place.
     *
     * @param name id that the place stands for
     */
    Reading.Found found(String place, String name, Making making) {
        try {
            if (!ClusterDefinition.isName(name)) {
                throw new BadDefinitionException(
                        "the id of a cluster must have " + ClusterDefinition.ALLOWED + ", but is '" + name + "'");
            }
            ClusterDefinition definition = making.make();
            if (!definition.access().equals(proven.get(place))) {
                prove(definition);
            }
            seen.put(place, definition.access());
            return new Reading.Found.Good(definition);
        } catch (BadDefinitionException e) {
            return new Reading.Found.Bad(e.reason());
        }
    }

    private static void prove(ClusterDefinition definition) throws BadDefinitionException {
        if (definition.access() instanceof ClusterAccess.Kubeconfig kubeconfig
                && kubeconfig.text().reveal().contains("\"exec\"")) {
            return; // it would run a command, which may hang, for all clusters on one thread
        }
        try {
            ApiCredentials.proven(definition);
        } catch (StartupException e) {
            throw new BadDefinitionException(e.getMessage(), e);
        }
    }

    /** Makes a definition. */
    @FunctionalInterface
    interface Making {
        ClusterDefinition make() throws BadDefinitionException;
    }
}
