package io.evenkeel.cli.explain;

import io.evenkeel.api.ObjectKey;
import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.process.StartupException;
import java.util.Locale;
import java.util.Optional;

/**
 * An object as a person names it.
 *
 * @param kind its kind in any spelling, also its plural or {@code kind.group}
 * @param name its name
 * @param namespace its namespace; an object without one is found too
 * @param cluster its cluster; empty for any
 */
record ObjectQuery(String kind, String name, String namespace, Optional<String> cluster) {
    /** @throws StartupException if it is not {@code kind/name} */
    static ObjectQuery parse(String text, String namespace, Optional<String> cluster) {
        int slash = text.indexOf('/');
        if (slash < 1 || slash == text.length() - 1) {
            throw new StartupException(
                    ExitCode.USAGE, "'" + text + "' names no object: write <kind>/<name>, such as memcached/sessions.");
        }
        return new ObjectQuery(
                text.substring(0, slash).toLowerCase(Locale.ROOT), text.substring(slash + 1), namespace, cluster);
    }

    boolean matches(ObjectKey key) {
        return name.equals(key.name())
                && (key.namespace().isEmpty() || key.namespace().equals(namespace))
                && cluster.map(key.cluster()::equals).orElse(true)
                && matchesKind(key);
    }

    private boolean matchesKind(ObjectKey key) {
        String own = key.kind().toLowerCase(Locale.ROOT);
        int dot = kind.indexOf('.');
        String wanted = dot < 0 ? kind : kind.substring(0, dot);
        boolean sameKind = wanted.equals(own)
                || wanted.equals(own + "s")
                || wanted.equals(own + "es")
                || (own.endsWith("y") && wanted.equals(own.substring(0, own.length() - 1) + "ies"));
        return sameKind && (dot < 0 || kind.substring(dot + 1).equals(key.group()));
    }

    @Override
    public String toString() {
        return kind + "/" + name + " in namespace " + namespace
                + cluster.map(id -> " on cluster " + id).orElse("");
    }
}
