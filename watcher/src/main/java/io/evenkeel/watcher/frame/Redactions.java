package io.evenkeel.watcher.frame;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Knows what is to be replaced in the objects of each resource: always the payload of Secrets, and what rules say. Immutable. */
public final class Redactions {
    private static final List<RedactionPath> SECRET_PAYLOAD =
            List.of(RedactionPath.parse(".data.*"), RedactionPath.parse(".stringData.*"));

    private final Optional<byte[]> key;
    private final List<RedactionRule> rules;

    /** @param key of the hashes; without one, nothing that holds secrets can be read */
    public Redactions(Optional<byte[]> key, List<RedactionRule> rules) {
        this.key = key.map(byte[]::clone);
        this.rules = List.copyOf(rules);
    }

    /**
     * What is replaced in a resource's objects; empty if nothing is.
     *
     * @throws IllegalStateException if something is, but there is no key: such objects must not be read
     */
    public Optional<Redaction> of(String group, String plural) {
        var paths = new ArrayList<RedactionPath>();
        if (group.isEmpty() && plural.equals("secrets")) {
            paths.addAll(SECRET_PAYLOAD);
        }
        rules.stream().filter(rule -> rule.concerns(group, plural)).forEach(rule -> paths.add(rule.path()));
        if (paths.isEmpty()) {
            return Optional.empty();
        }
        byte[] present = key.orElseThrow(() -> new IllegalStateException("there is no key to redact " + plural));
        return Optional.of(new Redaction(present, paths));
    }
}
