package io.evenkeel.runtime.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The definitions that count, each with the place that it was taken from, and what is wrong. A pure value: {@link #after}
 * makes the next one of a reading. What went bad leaves the last good version where it was.
 *
 * @param byPlace the good ones; no two of one id
 * @param problems as of the newest reading, in the order of places
 */
record ClusterBook(SortedMap<String, ClusterDefinition> byPlace, List<ClusterProblem> problems) {
    static final ClusterBook EMPTY = new ClusterBook(new TreeMap<>(), List.of());

    ClusterBook {
        byPlace = java.util.Collections.unmodifiableSortedMap(new TreeMap<>(byPlace));
        problems = List.copyOf(problems);
    }

    Map<String, ClusterDefinition> byName() {
        var byName = new TreeMap<String, ClusterDefinition>();
        byPlace.values().forEach(definition -> byName.put(definition.name(), definition));
        return byName;
    }

    /** The same definitions, after a look that found nothing out. */
    ClusterBook after(ClusterProblem failure) {
        return new ClusterBook(byPlace, List.of(failure));
    }

    ClusterBook after(Reading reading) {
        var wanted = new TreeMap<String, ClusterDefinition>();
        var found = new ArrayList<ClusterProblem>();
        new TreeMap<>(reading.found()).forEach((place, result) -> {
            switch (result) {
                case Reading.Found.Good(ClusterDefinition definition) -> wanted.put(place, definition);
                case Reading.Found.Missing(String problem) -> found.add(new ClusterProblem(place, problem));
                case Reading.Found.Bad(String problem) -> {
                    ClusterDefinition before = byPlace.get(place);
                    if (before == null) {
                        found.add(new ClusterProblem(place, problem));
                    } else {
                        wanted.put(place, before);
                        found.add(new ClusterProblem(place, problem + "; its last good version stays in use"));
                    }
                }
            }
        });
        var next = new TreeMap<String, ClusterDefinition>();
        wanted.forEach((place, definition) -> {
            List<String> rivals = wanted.entrySet().stream()
                    .filter(other -> other.getValue().name().equals(definition.name()))
                    .map(Map.Entry::getKey)
                    .toList();
            if (rivals.size() == 1 || isHolder(place, definition.name())) {
                next.put(place, definition);
            } else {
                // Taking one of them by chance could put the objects of one cluster under the id of another.
                found.add(new ClusterProblem(
                        place,
                        "cluster " + definition.name() + " is also defined by "
                                + String.join(
                                        ", ",
                                        rivals.stream()
                                                .filter(other -> !other.equals(place))
                                                .toList())
                                + "; give one of them another id"));
                keepFormer(place, wanted, next);
            }
        });
        return new ClusterBook(next, found);
    }

    private void keepFormer(String place, Map<String, ClusterDefinition> wanted, Map<String, ClusterDefinition> next) {
        ClusterDefinition former = byPlace.get(place);
        if (former != null
                && wanted.values().stream().noneMatch(other -> other.name().equals(former.name()))) {
            next.put(place, former);
        }
    }

    private boolean isHolder(String place, String name) {
        ClusterDefinition before = byPlace.get(place);
        return before != null && before.name().equals(name);
    }
}
