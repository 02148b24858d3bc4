package io.evenkeel.worker.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.record.AttemptOutcome;
import io.evenkeel.api.record.AttemptOutcome.Result;
import io.evenkeel.api.record.Cause;
import io.evenkeel.api.record.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * One key among users, an API server, the topics, the retry wheel, a clock and workers that crash, drawn from a seed. What a
 * worker holds in memory is lost in a crash: it goes on with an older ledger, reads its topics again from an older position,
 * and finds what it had sent already. Invariants are checked after each step.
 */
final class KeySimulation {
    private static final int MOST_ATTEMPTS = 5;
    private static final Fold FOLD = new Fold(Duration.ofSeconds(1));

    /** What was folded, for whoever wants to fold it again. */
    final List<Folded> history = new ArrayList<>();

    private final SplittableRandom random;
    private final Map<Source, List<Input>> log = new EnumMap<>(Source.class);
    private final Set<Waiting> wheel = new HashSet<>();
    private Map<Source, Integer> read = new EnumMap<>(Source.class);
    private Map<Source, Integer> committed = new EnumMap<>(Source.class);
    private LedgerEntry entry = LedgerEntry.NEW;
    private LedgerEntry durable = LedgerEntry.NEW;
    private Optional<Attempt> live = Optional.empty();
    private Optional<Orphan> orphan = Optional.empty();
    private Instant now = Ledgers.NOW;
    private boolean exists;
    private boolean letter;
    private boolean calm;
    private int life;
    private int version = 100;
    private int generation;
    private int handledGeneration;
    private int attempts;

    /**
     * An input as it was folded.
     *
     * @param source its topic; absent for an input of the engine's own
     * @param offset on its topic
     */
    record Folded(Optional<Source> source, long offset, Input input, LedgerEntry after) {}

    /** An entry of the retry wheel. */
    private record Waiting(KeyState.Kind kind, Instant due) {}

    /** A handler that runs. */
    private record Attempt(String id, int number, int generation, List<Cause> causes) {}

    /** An attempt whose worker died, and how far outcomes must be read before that is said. */
    private record Orphan(String id, int bound, int number) {}

    KeySimulation(long seed) {
        random = new SplittableRandom(seed);
        for (Source source : Source.values()) {
            log.put(source, new ArrayList<>());
            read.put(source, 0);
            committed.put(source, 0);
        }
    }

    /** Plays so many steps, then lets everything come to rest. */
    void play(int steps) {
        for (int i = 0; i < steps; i++) {
            step();
            check();
        }
        calm = true;
        rest();
        if (!exists) {
            appear();
        }
        changeSpec(); // a parked key comes back for a new spec
        rest();
        assertThat(entry.state()).as("at the end").isEqualTo(new KeyState.Idle());
        assertThat(handledGeneration).as("the newest spec was handled").isEqualTo(generation);
        assertThat(letter).as("a dead letter is left").isFalse();
        assertThat(entry.failures()).isEqualTo(Failures.NONE);
    }

    private void step() {
        switch (random.nextInt(20)) {
            case 0, 1 -> {
                if (exists) {
                    changeSpec();
                } else {
                    appear();
                }
            }
            case 2 -> touch();
            case 3 -> changeChild();
            case 4 -> {
                if (random.nextInt(6) == 0) {
                    disappear();
                }
            }
            case 5, 6, 7, 8, 9, 10 -> readOne();
            case 11, 12 -> start();
            case 13, 14, 15 -> finish();
            case 16, 17 -> pass(Duration.ofMillis(random.nextInt(2_000)));
            case 18 -> commit();
            default -> {
                if (random.nextInt(3) == 0) {
                    crash();
                } else {
                    readAgain();
                }
            }
        }
    }

    /** Reads, runs and waits until nothing happens any more. */
    private void rest() {
        for (int i = 0; i < 1_000; i++) {
            boolean busy = readOne() || start() || finish();
            check();
            if (busy) {
                continue;
            }
            if (wheel.isEmpty() || entry.state() instanceof KeyState.Idle || entry.state() instanceof KeyState.Parked) {
                return;
            }
            pass(Duration.ofMinutes(10));
        }
        throw new AssertionError("it never comes to rest: " + entry);
    }

    private void appear() {
        exists = true;
        life++;
        generation++;
        write();
    }

    private void changeSpec() {
        generation++;
        write();
    }

    private void touch() {
        if (exists) {
            write();
        }
    }

    private void write() {
        version++;
        log(
                Source.OBJECTS,
                new Input.PrimaryChanged(
                        Ledgers.KEY,
                        new Sighting(uid(), Integer.toString(version), generation, false, 1),
                        false,
                        random.nextInt(10) == 0,
                        true,
                        true,
                        cause("PRIMARY_CHANGED")));
    }

    private void disappear() {
        if (exists) {
            exists = false;
            log(Source.OBJECTS, new Input.PrimaryRemoved(uid()));
        }
    }

    private void changeChild() {
        version++;
        log(
                Source.REQUESTS,
                new Input.SecondaryChanged(
                        Ledgers.CHILD, Integer.toString(version), false, true, true, cause("SECONDARY_CHANGED")));
    }

    private String uid() {
        return "uid-" + life;
    }

    private boolean readOne() {
        List<Source> unread = new ArrayList<>();
        for (Source source : Source.values()) {
            if (read.getOrDefault(source, 0) < entries(source).size()) {
                unread.add(source);
            }
        }
        if (unread.isEmpty()) {
            return false;
        }
        Source source = unread.get(random.nextInt(unread.size()));
        int offset = read.merge(source, 1, Integer::sum) - 1;
        Input input = entries(source).get(offset);
        took(Optional.of(source), offset, input, FOLD.fold(entry, source, offset, input));
        declareLost();
        return true;
    }

    private void took(Optional<Source> source, long offset, Input input, Step step) {
        entry = step.entry();
        history.add(new Folded(source, offset, input, entry));
        perform(step.effects());
    }

    private void perform(List<Effect> effects) {
        for (Effect effect : effects) {
            switch (effect) {
                case Effect.Enqueue enqueue -> {}
                case Effect.Schedule schedule -> wheel.add(new Waiting(schedule.kind(), schedule.due()));
                case Effect.Park park -> letter = true;
                case Effect.Unpark unpark -> letter = false;
                case Effect.Forget forget -> {}
            }
        }
    }

    private boolean start() {
        if (!(entry.state() instanceof KeyState.Pending pending)) {
            return false;
        }
        assertThat(live).as("a second attempt at the same time").isEmpty();
        String id = "attempt-" + attempts++;
        int number = entry.failures().count() + 1;
        assertThat(number).as("attempts in a row").isLessThanOrEqualTo(MOST_ATTEMPTS);
        var started = new Input.Started(id, now, List.of());
        took(Optional.empty(), -1, started, FOLD.fold(entry, started));
        KeyState.Running running = (KeyState.Running) entry.state();
        live = Optional.of(
                new Attempt(id, number, Math.toIntExact(running.handled().generation()), pending.causes()));
        return true;
    }

    private boolean finish() {
        if (live.isEmpty()) {
            return false;
        }
        Attempt attempt = live.get();
        live = Optional.empty();
        Result result = calm ? Result.DONE : result();
        if (result == Result.DONE) {
            handledGeneration = Math.max(handledGeneration, attempt.generation());
        }
        log(Source.OUTCOMES, new Input.Finished(outcome(attempt.id(), attempt.number(), result), false));
        return true;
    }

    private Result result() {
        return switch (random.nextInt(20)) {
            case 0 -> Result.FAILED_FOR_GOOD;
            case 1, 2 -> Result.REQUEUE;
            case 3 -> Result.DEFERRED;
            case 4 -> Result.INTERRUPTED;
            case 5, 6, 7, 8, 9, 10, 11 -> Result.FAILED;
            case 12 -> Result.WAITING;
            default -> Result.DONE;
        };
    }

    private AttemptOutcome outcome(String id, int number, Result result) {
        boolean failed = result == Result.FAILED || result == Result.FAILED_FOR_GOOD || result == Result.WORKER_LOST;
        Optional<Instant> due = switch (result) {
            case FAILED, WORKER_LOST ->
                number >= MOST_ATTEMPTS ? Optional.empty() : Optional.of(now.plusMillis(100L << number));
            case REQUEUE, DEFERRED -> Optional.of(now.plusMillis(random.nextInt(5_000)));
            // Of some controllers, a timetable.
            case DONE, WAITING -> calm || random.nextBoolean() ? Optional.empty() : Optional.of(now.plusSeconds(60));
            case FAILED_FOR_GOOD, INTERRUPTED -> Optional.empty();
        };
        return new AttemptOutcome(
                "widgets",
                Ledgers.KEY,
                id,
                number,
                "worker",
                List.of(),
                uid(),
                Integer.toString(version),
                Optional.empty(),
                now,
                now,
                result,
                "",
                failed ? Optional.of(new Failure("Broken", "broken", "")) : Optional.empty(),
                List.of(),
                due);
    }

    private void pass(Duration time) {
        now = now.plus(time);
        for (Waiting waiting : Set.copyOf(wheel)) {
            if (!waiting.due().isAfter(now)) {
                surface(waiting);
                if (random.nextInt(10) == 0) {
                    surface(waiting); // its offset was not committed in time
                }
                wheel.remove(waiting);
            }
        }
    }

    private void surface(Waiting waiting) {
        log(Source.REQUESTS, new Input.Due(waiting.kind(), waiting.due(), cause("DUE")));
    }

    /** What has been folded is safe. */
    private void commit() {
        durable = entry;
        committed = new EnumMap<>(read);
    }

    /** The changelog may be further than the committed offsets. */
    private void readAgain() {
        for (Source source : Source.values()) {
            int at = read.getOrDefault(source, 0);
            int from = committed.getOrDefault(source, 0);
            read.put(source, from + random.nextInt(at - from + 1));
        }
    }

    private void crash() {
        entry = random.nextBoolean() ? durable : entry;
        read = new EnumMap<>(committed);
        live = Optional.empty();
        perform(Fold.reasserted(entry));
        orphan = entry.state() instanceof KeyState.Running running
                ? Optional.of(new Orphan(
                        running.attemptId(),
                        entries(Source.OUTCOMES).size(),
                        entry.failures().count() + 1))
                : Optional.empty();
        declareLost();
    }

    private void declareLost() {
        if (orphan.isEmpty()
                || read.getOrDefault(Source.OUTCOMES, 0) < orphan.get().bound()) {
            return;
        }
        Orphan lost = orphan.get();
        orphan = Optional.empty();
        if (entry.state() instanceof KeyState.Running running
                && running.attemptId().equals(lost.id())) {
            log(Source.OUTCOMES, new Input.Finished(outcome(lost.id(), lost.number(), Result.WORKER_LOST), false));
        }
    }

    private void check() {
        assertThat(entry.failures().count()).as("failed attempts").isLessThanOrEqualTo(MOST_ATTEMPTS);
        if (entry.state() instanceof KeyState.Waiting waiting) {
            boolean comes = wheel.stream().anyMatch(each -> wakes(each.kind(), each.due(), waiting))
                    || unreadRequests()
                            .anyMatch(input -> input instanceof Input.Due due && wakes(due.kind(), due.due(), waiting));
            assertThat(comes).as("something wakes " + waiting).isTrue();
        }
        if (entry.state() instanceof KeyState.Parked) {
            assertThat(letter).as("a parked key has its letter").isTrue();
        }
        if (entry.state() instanceof KeyState.Running running && orphan.isEmpty() && live.isEmpty()) {
            boolean told = entries(Source.OUTCOMES).stream()
                    .anyMatch(input -> input instanceof Input.Finished finished
                            && finished.outcome().attemptId().equals(running.attemptId()));
            assertThat(told)
                    .as("an attempt that nobody runs has its outcome on the log")
                    .isTrue();
        }
    }

    private static boolean wakes(KeyState.Kind kind, Instant due, KeyState.Waiting waiting) {
        return kind == waiting.kind() && !due.isBefore(waiting.due());
    }

    private Stream<Input> unreadRequests() {
        List<Input> all = entries(Source.REQUESTS);
        return all.subList(read.getOrDefault(Source.REQUESTS, 0), all.size()).stream();
    }

    private List<Input> entries(Source source) {
        return log.getOrDefault(source, List.of());
    }

    private void log(Source source, Input input) {
        entries(source).add(input);
    }

    private Cause cause(String type) {
        return new Cause(type, Optional.empty(), "", now);
    }
}
