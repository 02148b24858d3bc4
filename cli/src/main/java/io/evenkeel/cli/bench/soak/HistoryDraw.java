package io.evenkeel.cli.bench.soak;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/** Draws acts that make sense one after another: only what exists is changed or deleted. Not thread-safe. */
final class HistoryDraw {
    private static final List<String> NAMES = List.of("a", "b", "c", "d", "e", "f", "g", "h");
    private static final int LONGEST_PAUSE_MILLIS = 300;
    private static final int LONGEST_BURST = 12;

    /** How an object is. */
    private enum State {
        ABSENT,
        FREE,
        HELD,
        ENDING
    }

    private final List<SoakKind> kinds;
    private final FaultDraw faults;
    private final SplittableRandom random;
    private final Map<SoakKind, Map<String, State>> objects = new HashMap<>();
    private final Set<SoakKind> undefined = new HashSet<>();
    private int value;

    HistoryDraw(List<SoakKind> kinds, FaultDraw faults, SplittableRandom random) {
        this.kinds = kinds;
        this.faults = faults;
        this.random = random;
        kinds.forEach(kind -> objects.put(kind, new HashMap<>()));
    }

    /** The next acts; more than that if one of them is a burst, and with pauses between them. */
    List<Act> draw(int steps) {
        var acts = new ArrayList<Act>();
        for (int step = 0; step < steps; step++) {
            acts.addAll(step());
            if (random.nextInt(3) == 0) {
                acts.add(new Act.Pause(random.nextInt(LONGEST_PAUSE_MILLIS)));
            }
        }
        return acts;
    }

    /** What a history ends with, so that all kinds are there. */
    List<Act> end() {
        var acts = new ArrayList<Act>();
        undefined.forEach(kind -> acts.add(new Act.MakeDefinition(kind)));
        undefined.clear();
        return acts;
    }

    private List<Act> step() {
        SoakKind kind = kinds.get(random.nextInt(kinds.size()));
        if (undefined.contains(kind)) {
            return random.nextInt(3) == 0 ? define(kind) : List.of(new Act.Pause(random.nextInt(LONGEST_PAUSE_MILLIS)));
        }
        int luck = random.nextInt(100);
        if (luck < 62) {
            return edit(kind);
        }
        if (luck < 70) {
            return burst(kind);
        }
        if (luck < 77) {
            return deleteTogether(kind);
        }
        if (luck < 80) {
            return kind.custom() ? drop(kind) : edit(kind);
        }
        if (luck < 84) {
            return List.of(new Act.Compact());
        }
        if (luck < 97) {
            return List.of(new Act.Break(faults.next(kind)));
        }
        return List.of(new Act.Disconnect());
    }

    private List<Act> burst(SoakKind kind) {
        var acts = new ArrayList<Act>();
        int length = random.nextInt(2, LONGEST_BURST + 1);
        for (int i = 0; i < length; i++) {
            acts.addAll(edit(kind));
        }
        return acts;
    }

    private List<Act> edit(SoakKind kind) {
        String name = NAMES.get(random.nextInt(NAMES.size()));
        return switch (state(kind, name)) {
            case ABSENT -> List.of(create(kind, name));
            case ENDING -> {
                set(kind, name, State.ABSENT);
                yield List.of(new Act.Release(kind, name));
            }
            case HELD ->
                random.nextInt(3) == 0 ? List.of(delete(kind, name, State.ENDING)) : List.of(change(kind, name));
            case FREE ->
                switch (random.nextInt(10)) {
                    case 0, 1 -> List.of(delete(kind, name, State.ABSENT));
                    case 2 -> List.of(delete(kind, name, State.ABSENT), create(kind, name));
                    default -> List.of(change(kind, name));
                };
        };
    }

    private Act create(SoakKind kind, String name) {
        boolean held = !kind.custom() && random.nextInt(8) == 0;
        set(kind, name, held ? State.HELD : State.FREE);
        return new Act.Create(kind, name, ++value, held);
    }

    private Act change(SoakKind kind, String name) {
        Act.Part[] parts = Act.Part.values();
        Act.Part part = parts[random.nextInt(kind.custom() ? parts.length : parts.length - 1)];
        return new Act.Change(kind, name, ++value, part);
    }

    private Act delete(SoakKind kind, String name, State after) {
        set(kind, name, after);
        return new Act.Delete(kind, name);
    }

    private List<Act> deleteTogether(SoakKind kind) {
        List<String> free = names(kind, State.FREE::equals);
        if (free.size() < 2) {
            return edit(kind);
        }
        List<String> chosen = free.subList(0, random.nextInt(2, free.size() + 1));
        chosen.forEach(name -> set(kind, name, State.ABSENT));
        return List.of(new Act.DeleteTogether(kind, chosen));
    }

    private List<Act> drop(SoakKind kind) {
        objects.put(kind, new HashMap<>());
        undefined.add(kind);
        return List.of(new Act.DropDefinition(kind));
    }

    private List<Act> define(SoakKind kind) {
        undefined.remove(kind);
        return List.of(new Act.MakeDefinition(kind));
    }

    private List<String> names(SoakKind kind, Predicate<State> wanted) {
        return NAMES.stream().filter(name -> wanted.test(state(kind, name))).toList();
    }

    private State state(SoakKind kind, String name) {
        Map<String, State> known = objects.getOrDefault(kind, Map.of());
        return known.getOrDefault(name, State.ABSENT);
    }

    private void set(SoakKind kind, String name, State state) {
        objects.computeIfAbsent(kind, any -> new HashMap<>()).put(name, state);
    }
}
