package io.evenkeel.worker.task;

import io.evenkeel.worker.ledger.Input;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.function.BiConsumer;
import java.util.random.RandomGenerator;

/**
 * Gives a time to keys that have none although their controller has a timetable: it was given to the controller after they
 * had come to rest. Used by the thread that owns the partition.
 */
final class Planner {
    /** Keys that are given a time per tick, so that many of them do not hold up fresh work. */
    private static final int PLANNED_PER_TICK = 2_000;

    private final Controllers controllers;
    private final Clock clock;
    private final RandomGenerator random;
    private final ArrayDeque<String> timeless = new ArrayDeque<>();

    Planner(Controllers controllers, Clock clock, RandomGenerator random) {
        this.controllers = controllers;
        this.clock = clock;
        this.random = random;
    }

    /** Looks for such keys in what was restored. */
    void look(WorkStore work) {
        controllers.all().stream()
                .filter(unit -> !unit.controller().policy().timetable().isEmpty())
                .forEach(unit -> work.forEachIdle(unit.name(), timeless::add));
    }

    /** Gives some of them a time. */
    void planSome(BiConsumer<String, Input.Planned> plan) {
        Instant now = clock.instant();
        for (int i = 0; i < PLANNED_PER_TICK && !timeless.isEmpty(); i++) {
            String text = timeless.remove();
            controllers
                    .ofKey(text)
                    .flatMap(unit -> unit.controller().policy().timetable().first(now, random))
                    .ifPresent(due -> plan.accept(text, new Input.Planned(due, now)));
        }
    }
}
