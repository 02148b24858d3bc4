package io.evenkeel.watcher.frame;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A place in an object, as several paths at once see it. Immutable.
 *
 * @param isWhole whether a path ends here: the value is replaced, whatever it is
 * @param members the places below it that paths name, for maps
 * @param others every other place below it; empty if there is no wildcard
 */
record RedactionTree(boolean isWhole, Map<String, RedactionTree> members, Optional<RedactionTree> others) {
    /** @param paths what is left of each path from here on */
    static RedactionTree of(List<List<RedactionPath.Step>> paths) {
        var named = new HashMap<String, RedactionTree>();
        for (List<RedactionPath.Step> path : paths) {
            if (!path.isEmpty() && path.getFirst() instanceof RedactionPath.Member(String name)) {
                named.computeIfAbsent(name, unused -> of(below(paths, name)));
            }
        }
        List<List<RedactionPath.Step>> wild = paths.stream()
                .filter(path -> !path.isEmpty() && path.getFirst() instanceof RedactionPath.Each)
                .map(path -> path.subList(1, path.size()))
                .toList();
        return new RedactionTree(
                paths.stream().anyMatch(List::isEmpty),
                Map.copyOf(named),
                wild.isEmpty() ? Optional.empty() : Optional.of(of(wild)));
    }

    private static List<List<RedactionPath.Step>> below(List<List<RedactionPath.Step>> paths, String name) {
        return paths.stream()
                .filter(path -> !path.isEmpty() && path.getFirst().leadsTo(name))
                .map(path -> path.subList(1, path.size()))
                .toList();
    }

    /** What is to be done below a map's member; empty if nothing is. */
    Optional<RedactionTree> member(String name) {
        RedactionTree named = members.get(name);
        return named == null ? others : Optional.of(named);
    }

    /** What is to be done with a list's elements; empty if a path expects a map here. */
    Optional<RedactionTree> element() {
        return members.isEmpty() ? others : Optional.empty();
    }
}
