package io.evenkeel.cli.bench.soak;

import io.evenkeel.api.ObjectKey;
import io.evenkeel.api.record.ChangeType;
import io.evenkeel.api.record.Origin;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Compares what a server did to the objects of one shard with what the log says of it. Each event must be the next step of
 * its object that was not yet told, or a later one if all steps between lie in gaps that are marked; at the end of each gap,
 * and at the end of all, the log must have led to the state that the server was in. Pure.
 *
 * <p>What lies before a shard's first list is a gap too, which no marker names. Its end is not on the log: it is taken for
 * the latest version that explains what is missing.
 */
final class Judge {
    private final Map<ObjectKey, List<ServerStep>> server;
    private final ShardLog log;
    private final List<Finding> findings = new ArrayList<>();

    private Judge(Map<ObjectKey, List<ServerStep>> server, ShardLog log) {
        this.server = server;
        this.log = log;
    }

    /**
     * What is wrong.
     *
     * @param key of the object
     * @param text what of it
     */
    record Finding(ObjectKey key, String text) {}

    /**
     * One object: its steps, its events, and which step each event tells.
     *
     * @param told index of the step that each event tells
     * @param missing steps that no event tells
     */
    private record Telling(
            ObjectKey key,
            List<ServerStep> steps,
            List<LoggedEvent> events,
            List<Integer> told,
            List<ServerStep> missing) {}

    /** Everything that is wrong; empty if the log is exact. */
    static List<Finding> findings(Map<ObjectKey, List<ServerStep>> server, ShardLog log) {
        var judge = new Judge(server, log);
        judge.judge();
        return List.copyOf(judge.findings);
    }

    private void judge() {
        var keys = new TreeSet<>(server.keySet());
        keys.addAll(log.events().keySet());
        keys.addAll(log.objects().keySet());
        List<Telling> tellings = keys.stream().map(this::tell).toList();
        var windows = new ArrayList<>(log.gaps());
        beforeFirstList(tellings).ifPresent(windows::add);
        for (Telling telling : tellings) {
            for (ServerStep step : telling.missing) {
                if (!covered(windows, step.version())) {
                    find(telling.key, "is missing outside of all gaps: " + step);
                }
            }
            for (int event = 0; event < telling.events.size(); event++) {
                ServerStep step = telling.steps.get(telling.told.get(event));
                if (!telling.events.get(event).finalStateKnown() && !covered(windows, step.version())) {
                    find(telling.key, "was inferred outside of all gaps: " + telling.events.get(event));
                }
            }
            windows.forEach(window -> compareState(telling, window.until()));
            compareState(telling, Long.MAX_VALUE);
            compareNewest(telling);
        }
    }

    /** Finds the step that each event tells; an event that tells none is a finding, and left out. */
    private Telling tell(ObjectKey key) {
        List<ServerStep> steps = server.getOrDefault(key, List.of());
        var events = new ArrayList<LoggedEvent>();
        var told = new ArrayList<Integer>();
        var missing = new ArrayList<ServerStep>();
        int next = 0;
        Optional<String> living = Optional.empty();
        for (LoggedEvent event : log.events().getOrDefault(key, List.of())) {
            int step = next;
            while (step < steps.size() && !tells(event, steps.get(step))) {
                step++;
            }
            if (step == steps.size()) {
                find(key, "was invented, doubled, or is out of order: " + event);
                continue;
            }
            boolean goesOn = living.equals(Optional.of(event.uid()));
            if (event.type() == ChangeType.ADDED ? living.isPresent() : !goesOn) {
                find(key, "does not follow from what was logged before: " + event);
            }
            compareContent(key, event, steps.get(step));
            living = event.type() == ChangeType.DELETED ? Optional.empty() : Optional.of(event.uid());
            missing.addAll(steps.subList(next, step));
            events.add(event);
            told.add(step);
            next = step + 1;
        }
        missing.addAll(steps.subList(next, steps.size()));
        return new Telling(key, steps, events, told, missing);
    }

    private static boolean tells(LoggedEvent event, ServerStep step) {
        if (!event.uid().equals(step.uid())) {
            return false;
        }
        if (event.type() == ChangeType.DELETED) {
            return step.type() == ChangeType.DELETED && (!event.finalStateKnown() || event.version() == step.version());
        }
        // A life whose beginning lies in a gap is logged as added with the state that it had at the end of it.
        return event.version() == step.version()
                && (step.type() == event.type()
                        || (step.type() == ChangeType.MODIFIED && event.type() == ChangeType.ADDED));
    }

    private void compareContent(ObjectKey key, LoggedEvent event, ServerStep step) {
        if (event.finalStateKnown() && !event.content().equals(Optional.of(step.content()))) {
            find(key, event + " shows " + event.content() + " but the object was " + step.content());
        }
    }

    /** The time before the first list, if something is missing that only this explains. */
    private Optional<Window> beforeFirstList(List<Telling> tellings) {
        long watched = Long.MAX_VALUE;
        long listed = 0;
        for (Telling telling : tellings) {
            for (LoggedEvent event : telling.events) {
                if (event.origin() == Origin.LIST) {
                    listed = Math.max(listed, event.version());
                } else if (event.origin() == Origin.WATCH && !covered(log.gaps(), event.version())) {
                    watched = Math.min(watched, event.version());
                }
            }
        }
        long latest = 0;
        for (Telling telling : tellings) {
            for (ServerStep step : telling.missing) {
                if (step.version() < watched && !covered(log.gaps(), step.version())) {
                    latest = Math.max(latest, step.version());
                }
            }
        }
        return latest == 0 ? Optional.empty() : Optional.of(new Window(0, Math.max(latest, listed)));
    }

    private void compareState(Telling telling, long until) {
        Optional<ServerStep> there = last(telling.steps.stream()
                        .filter(step -> step.version() <= until)
                        .toList())
                .filter(step -> step.type() != ChangeType.DELETED);
        Optional<ServerStep> logged = Optional.empty();
        for (int event = 0; event < telling.events.size(); event++) {
            ServerStep step = telling.steps.get(telling.told.get(event));
            if (step.version() <= until) {
                logged = Optional.of(step).filter(told -> told.type() != ChangeType.DELETED);
            }
        }
        if (!there.equals(logged)) {
            String when = until == Long.MAX_VALUE ? "at the end" : "at the end of the gap until " + until;
            find(telling.key, when + " the server had " + name(there) + " but the log " + name(logged));
        }
    }

    private void compareNewest(Telling telling) {
        Optional<ServerStep> there = last(telling.steps).filter(step -> step.type() != ChangeType.DELETED);
        Optional<Newest> found = Optional.ofNullable(log.objects().get(telling.key));
        if (there.isEmpty()) {
            if (found.flatMap(Newest::content).isPresent()) {
                find(telling.key, "is gone but still on objects");
            } else if (found.isPresent() == telling.events.isEmpty()) {
                find(telling.key, "must have a tombstone on objects if and only if it was ever logged");
            }
            return;
        }
        ServerStep state = there.get();
        boolean equal = found.filter(newest -> newest.uid().equals(state.uid())
                        && newest.version() == state.version()
                        && newest.content().equals(Optional.of(state.content())))
                .isPresent();
        if (!equal) {
            find(telling.key, "objects holds " + found + " but the server " + state + " " + state.content());
        }
    }

    private static boolean covered(List<Window> windows, long version) {
        return windows.stream().anyMatch(window -> window.covers(version));
    }

    private static Optional<ServerStep> last(List<ServerStep> steps) {
        return steps.isEmpty() ? Optional.empty() : Optional.of(steps.getLast());
    }

    private static String name(Optional<ServerStep> state) {
        return state.map(step -> step.version() + " " + step.uid()).orElse("nothing");
    }

    private void find(ObjectKey key, String text) {
        findings.add(new Finding(key, text));
    }
}
