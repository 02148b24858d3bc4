package io.evenkeel.worker.ledger;

import static io.evenkeel.worker.ledger.Ledgers.NOW;
import static io.evenkeel.worker.ledger.Ledgers.cause;
import static io.evenkeel.worker.ledger.Ledgers.changed;
import static io.evenkeel.worker.ledger.Ledgers.child;
import static io.evenkeel.worker.ledger.Ledgers.failures;
import static io.evenkeel.worker.ledger.Ledgers.finished;
import static io.evenkeel.worker.ledger.Ledgers.parked;
import static io.evenkeel.worker.ledger.Ledgers.pending;
import static io.evenkeel.worker.ledger.Ledgers.present;
import static io.evenkeel.worker.ledger.Ledgers.requeue;
import static io.evenkeel.worker.ledger.Ledgers.resync;
import static io.evenkeel.worker.ledger.Ledgers.retry;
import static io.evenkeel.worker.ledger.Ledgers.running;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.record.AttemptOutcome.Result;
import io.evenkeel.worker.ledger.KeyState.Idle;
import io.evenkeel.worker.ledger.KeyState.Kind;
import io.evenkeel.worker.ledger.KeyState.Parked;
import io.evenkeel.worker.ledger.KeyState.Pending;
import io.evenkeel.worker.ledger.KeyState.Running;
import io.evenkeel.worker.ledger.KeyState.Waiting;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every state meets every input. The primary is present at version 10, generation 1; a minute passes before retries. */
class FoldTableTest {
    private static final Instant SOON = NOW.plusMillis(500);
    private static final Instant LATER = NOW.plusSeconds(30);
    private static final Fold FOLD = new Fold(Duration.ofSeconds(1));

    /** One row: what meets what, and what comes of it. A busy key has failed once before. */
    record Row(KeyState state, Input input, String next, int failures, String effects) {
        @Override
        public String toString() {
            return name(state) + " + " + input.getClass().getSimpleName() + " -> " + next;
        }
    }

    static Stream<Row> table() {
        Input spec = changed(11, 2);
        Input label = changed(11, 1);
        Input old = changed(9, 1);
        Input removed = new Input.PrimaryRemoved("uid");
        Input left = new Input.PrimaryLeft("uid");
        Input childGone = new Input.SecondaryRemoved(Ledgers.CHILD, cause("GONE", LATER));
        Input childGoneSoon = new Input.SecondaryRemoved(Ledgers.CHILD, cause("GONE", SOON));
        Input retryDue = new Input.Due(Kind.RETRY, NOW.plusSeconds(60), cause("DUE"));
        Input requeueDue = new Input.Due(Kind.REQUEUE, NOW.plusSeconds(60), cause("DUE"));
        Input superseded = new Input.Due(Kind.RETRY, NOW.plusSeconds(59), cause("DUE"));
        Input resyncDue = new Input.Due(Kind.RESYNC, NOW.plusSeconds(60), cause("DUE"));
        Input planned = new Input.Planned(NOW.plusSeconds(90), NOW);
        Input redriven = new Input.Redriven(cause("REDRIVE"));
        Input asked = new Input.Asked(Lane.BACKGROUND, cause("AUDIT", LATER));
        Input started = new Input.Started("next", NOW, List.of());
        Input refreshed = new Input.Refreshed();
        Idle idle = new Idle();
        return Stream.of(
                //      state                   input                        next        failures  effects
                new Row(idle, spec, "Pending URGENT", 0, "Enqueue"),
                new Row(idle, label, "Pending NORMAL", 0, "Enqueue"),
                new Row(idle, old, "Idle", 0, ""),
                new Row(idle, removed, "Idle gone", 0, "Forget"),
                new Row(idle, left, "Idle left", 0, "Forget"),
                new Row(idle, child(5, NOW), "Pending NORMAL", 0, "Enqueue"),
                new Row(idle, childGone, "Pending NORMAL", 0, "Enqueue"),
                new Row(idle, retryDue, "Idle", 0, ""),
                new Row(idle, planned, "Waiting RESYNC 90", 0, "Schedule"),
                new Row(idle, redriven, "Idle", 0, ""),
                new Row(idle, asked, "Pending BACKGROUND", 0, "Enqueue"),
                new Row(idle, started, "Idle", 0, ""),
                new Row(idle, refreshed, "Idle", 0, ""),
                new Row(idle, finished(Result.DONE), "Idle", 0, ""),
                new Row(pending(Lane.NORMAL), spec, "Pending URGENT", 0, "Enqueue"),
                new Row(pending(Lane.NORMAL), label, "Pending NORMAL", 1, ""),
                new Row(pending(Lane.NORMAL), removed, "Idle gone", 0, "Forget"),
                new Row(pending(Lane.NORMAL), left, "Idle left", 1, ""),
                new Row(pending(Lane.BACKGROUND), child(5, NOW), "Pending NORMAL", 1, "Enqueue"),
                new Row(pending(Lane.NORMAL), childGone, "Pending NORMAL", 1, ""),
                new Row(pending(Lane.NORMAL), retryDue, "Pending NORMAL", 1, ""),
                new Row(pending(Lane.NORMAL), planned, "Pending NORMAL", 1, ""),
                new Row(pending(Lane.NORMAL), redriven, "Pending NORMAL", 1, ""),
                new Row(pending(Lane.NORMAL), asked, "Pending NORMAL", 1, ""),
                new Row(pending(Lane.NORMAL), started, "Running 10", 1, ""),
                new Row(pending(Lane.NORMAL), refreshed, "Pending NORMAL", 1, ""),
                new Row(pending(Lane.NORMAL), finished(Result.DONE), "Pending NORMAL", 1, ""),
                new Row(running(), spec, "Running 10 behind", 1, ""),
                new Row(running(), old, "Running 10", 1, ""),
                new Row(running(), removed, "Running 10 gone", 0, ""),
                new Row(running(), left, "Running 10 left", 1, ""),
                new Row(running(), child(5, NOW), "Running 10 behind", 1, ""),
                new Row(running(), childGone, "Running 10 behind", 1, ""),
                new Row(running(), retryDue, "Running 10", 1, ""),
                new Row(running(), planned, "Running 10", 1, ""),
                new Row(running(), redriven, "Running 10", 1, ""),
                new Row(running(), asked, "Running 10 behind", 1, ""),
                new Row(running(), started, "Running 10", 1, ""),
                new Row(running(), refreshed, "Running 10", 1, ""),
                new Row(running(), finished(Result.DONE), "Idle", 0, ""),
                new Row(running(), finished(Result.WAITING), "Idle", 0, ""),
                new Row(running(), finished(Result.REQUEUE), "Waiting REQUEUE 60", 0, "Schedule"),
                new Row(running(), finished(Result.DEFERRED), "Waiting RETRY 60", 1, "Schedule"),
                new Row(running(), finished(Result.FAILED), "Waiting RETRY 60", 2, "Schedule"),
                new Row(running(), finished(Result.FAILED_FOR_GOOD), "Parked", 2, "Park"),
                new Row(running(), finished(Result.WORKER_LOST), "Parked", 2, "Park"),
                new Row(running(), finished(Result.INTERRUPTED), "Pending NORMAL", 1, "Enqueue"),
                new Row(retry(), spec, "Pending URGENT", 0, "Enqueue"),
                new Row(retry(), label, "Waiting RETRY 1", 1, "Schedule"),
                new Row(retry(), removed, "Idle gone", 0, "Forget"),
                new Row(retry(), left, "Idle left", 1, ""),
                new Row(retry(), child(5, SOON), "Waiting RETRY 1", 1, "Schedule"),
                new Row(retry(), child(5, LATER), "Pending NORMAL", 1, "Enqueue"),
                new Row(retry(), childGoneSoon, "Waiting RETRY 1", 1, "Schedule"),
                new Row(retry(), retryDue, "Pending RETRY", 1, "Enqueue"),
                new Row(retry(), planned, "Waiting RETRY 60", 1, ""),
                new Row(retry(), superseded, "Waiting RETRY 60", 1, ""),
                new Row(retry(), requeueDue, "Waiting RETRY 60", 1, ""),
                new Row(retry(), redriven, "Pending NORMAL", 0, "Enqueue"),
                new Row(retry(), asked, "Pending BACKGROUND", 1, "Enqueue"),
                new Row(retry(), started, "Waiting RETRY 60", 1, ""),
                new Row(retry(), refreshed, "Waiting RETRY 60", 1, ""),
                new Row(retry(), finished(Result.DONE), "Waiting RETRY 60", 1, ""),
                new Row(requeue(), label, "Pending NORMAL", 1, "Enqueue"),
                new Row(requeue(), child(5, SOON), "Pending NORMAL", 1, "Enqueue"),
                new Row(requeue(), requeueDue, "Pending RETRY", 1, "Enqueue"),
                new Row(resync(), resyncDue, "Pending BACKGROUND", 1, "Enqueue"),
                new Row(resync(), requeueDue, "Waiting RESYNC 60", 1, ""),
                new Row(resync(), planned, "Waiting RESYNC 60", 1, ""),
                new Row(resync(), child(5, SOON), "Pending NORMAL", 1, "Enqueue"),
                new Row(resync(), spec, "Pending URGENT", 0, "Enqueue"),
                new Row(requeue(), retryDue, "Waiting REQUEUE 60", 1, ""),
                new Row(parked(), spec, "Pending URGENT", 0, "Enqueue Unpark"),
                new Row(parked(), label, "Parked", 1, ""),
                new Row(parked(), removed, "Idle gone", 0, "Unpark Forget"),
                new Row(parked(), left, "Parked left", 1, ""),
                new Row(parked(), child(5, LATER), "Parked", 1, ""),
                new Row(parked(), childGone, "Parked", 1, ""),
                new Row(parked(), retryDue, "Parked", 1, ""),
                new Row(parked(), planned, "Parked", 1, ""),
                new Row(parked(), redriven, "Pending NORMAL", 0, "Enqueue Unpark"),
                new Row(parked(), asked, "Parked", 1, ""),
                new Row(parked(), started, "Parked", 1, ""),
                new Row(parked(), refreshed, "Parked", 1, ""),
                new Row(parked(), finished(Result.DONE), "Parked", 1, ""));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("table")
    void pair(Row row) {
        boolean isParked = row.state() instanceof Parked;
        LedgerEntry entry = present(row.state())
                .with(row.state() instanceof Idle ? Failures.NONE : failures(1))
                .lettered(isParked);
        Step step = FOLD.fold(entry, row.input());
        assertThat(described(step.entry())).isEqualTo(row.next());
        assertThat(step.entry().failures().count()).isEqualTo(row.failures());
        assertThat(step.effects().stream()
                        .map(effect -> effect.getClass().getSimpleName())
                        .toList())
                .isEqualTo(
                        row.effects().isEmpty()
                                ? List.of()
                                : Arrays.asList(row.effects().split(" ")));
    }

    @Test
    void everyPairIsInTheTable() {
        List<String> pairs = table().map(row -> row.state().getClass().getSimpleName() + "+"
                        + row.input().getClass().getSimpleName())
                .distinct()
                .toList();
        List<String> all = Stream.of(KeyState.class.getPermittedSubclasses())
                .flatMap(state -> Stream.of(Input.class.getPermittedSubclasses())
                        .map(input -> state.getSimpleName() + "+" + input.getSimpleName()))
                .toList();
        assertThat(pairs).containsExactlyInAnyOrderElementsOf(all);
    }

    @Test
    void everyEffectIsInTheTable() {
        List<String> effects = table().flatMap(row -> Stream.of(row.effects().split(" ")))
                .filter(effect -> !effect.isEmpty())
                .distinct()
                .toList();
        assertThat(effects)
                .containsExactlyInAnyOrderElementsOf(Stream.of(Effect.class.getPermittedSubclasses())
                        .map(Class::getSimpleName)
                        .toList());
    }

    private static String described(LedgerEntry entry) {
        return name(entry.state())
                + switch (entry.primary()) {
                    case Primary.Gone gone -> " gone";
                    case Primary.Left left -> " left";
                    case Primary.Present present -> "";
                    case Primary.Unseen unseen -> " unseen";
                };
    }

    private static String name(KeyState state) {
        return switch (state) {
            case Idle idle -> "Idle";
            case Pending pending -> "Pending " + pending.lane();
            case Running running ->
                "Running " + running.handled().resourceVersion()
                        + (running.seen().isNothing() ? "" : " behind");
            case Waiting waiting ->
                "Waiting " + waiting.kind() + " "
                        + Duration.between(NOW, waiting.due()).toSeconds();
            case Parked parked -> "Parked";
        };
    }
}
