package io.evenkeel.watcher.publish;

import java.util.LinkedHashSet;
import java.util.Set;

/** Remembers the last thousand things that were logged, so that each is logged once. Thread-safe. */
final class LoggedOnce {
    private static final int REMEMBERED = 1_000;

    private final Set<String> logged = new LinkedHashSet<>();

    synchronized boolean isFirst(String what) {
        if (!logged.add(what)) {
            return false;
        }
        if (logged.size() > REMEMBERED) {
            logged.remove(logged.iterator().next());
        }
        return true;
    }
}
