package io.evenkeel.worker.task;

import io.evenkeel.api.ControllerKey;
import io.evenkeel.api.json.Json;
import io.evenkeel.api.record.DeadLetter;
import io.evenkeel.api.record.RetryEntry;
import io.evenkeel.api.record.RetryTier;
import io.evenkeel.api.topic.Topic;
import io.evenkeel.worker.ledger.Effect;
import io.evenkeel.worker.ledger.Fold;
import io.evenkeel.worker.ledger.LedgerEntry;
import io.evenkeel.worker.ledger.Primary;
import io.evenkeel.worker.ledger.Sighting;
import io.evenkeel.worker.ledger.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Performs what a fold asks for. Used by the thread that owns the partition. */
final class Effects {
    private static final Logger log = LoggerFactory.getLogger(Effects.class);

    private static final Sighting NOBODY = new Sighting("", "", -1, false, 0);

    /** Effects that are repeated per tick after a take-over, so that a large backlog does not hold up fresh work. */
    private static final int REASSERTED_PER_TICK = 2_000;

    private final TaskEnvironment environment;
    private final int partition;
    private final Outlet outlet;
    private final WorkStore work;
    private final Dispatch dispatch;
    private final ArrayDeque<String> toReassert = new ArrayDeque<>();

    Effects(TaskEnvironment environment, int partition, Outlet outlet, WorkStore work, Dispatch dispatch) {
        this.environment = environment;
        this.partition = partition;
        this.outlet = outlet;
        this.work = work;
        this.dispatch = dispatch;
    }

    void perform(ControllerUnit unit, ControllerKey key, String text, Step step) {
        for (Effect effect : step.effects()) {
            switch (effect) {
                case Effect.Enqueue enqueue -> dispatch.enqueue(text, enqueue.lane());
                case Effect.Schedule schedule -> schedule(key, text, schedule);
                case Effect.Park park -> park(unit, key, text, step.entry(), park);
                case Effect.Unpark unpark -> unpark(text);
                case Effect.Forget forget ->
                    work.buryEntry(text, environment.clock().instant());
            }
        }
    }

    /** A key whose state implies effects that may have been lost. */
    void reassertLater(String text) {
        toReassert.add(text);
    }

    void reassertSome() {
        for (int i = 0; i < REASSERTED_PER_TICK && !toReassert.isEmpty(); i++) {
            String text = toReassert.remove();
            LedgerEntry entry = work.entry(text);
            environment
                    .controllers()
                    .ofKey(text)
                    .ifPresent(unit ->
                            perform(unit, ControllerKey.parse(text), text, new Step(entry, Fold.reasserted(entry))));
        }
    }

    private void schedule(ControllerKey key, String text, Effect.Schedule schedule) {
        RetryEntry.Kind kind = switch (schedule.kind()) {
            case RETRY -> RetryEntry.Kind.RETRY;
            case REQUEUE -> RetryEntry.Kind.REQUEUE;
            case RESYNC -> RetryEntry.Kind.RESYNC;
        };
        var entry = new RetryEntry(
                key.controller(), key.primary().toString(), kind, schedule.attempt(), schedule.due(), schedule.why());
        Duration remaining = Duration.between(environment.clock().instant(), schedule.due());
        outlet.forward(new Routed(Topic.retry(RetryTier.forDelay(remaining)), partition, text), Json.write(entry));
        log.atDebug()
                .addKeyValue("key", text)
                .addKeyValue("kind", kind)
                .addKeyValue("attempt", schedule.attempt())
                .addKeyValue("due", schedule.due())
                .log("key waits");
    }

    private void park(ControllerUnit unit, ControllerKey key, String text, LedgerEntry entry, Effect.Park park) {
        DeadLetter letter = letter(key, entry, park);
        outlet.forward(new Routed(Topic.DEAD_LETTERS, partition, text), Json.write(letter));
        if (park.first()) {
            log.atWarn()
                    .addKeyValue("key", text)
                    .addKeyValue("reason", park.reason())
                    .addKeyValue("attempts", letter.attempts())
                    .addKeyValue("cause", letter.failure().message())
                    .log("key parked");
            unit.metrics().parked().increment();
            environment
                    .parked()
                    .parked(
                            unit.controller(),
                            letter,
                            () -> environment.membership().mayWrite(partition));
        }
    }

    private void unpark(String text) {
        outlet.tombstone(new Routed(Topic.DEAD_LETTERS, partition, text));
        log.atInfo().addKeyValue("key", text).log("dead letter withdrawn");
    }

    private static DeadLetter letter(ControllerKey key, LedgerEntry entry, Effect.Park park) {
        Sighting sighting = switch (entry.primary()) {
            case Primary.Present(Sighting present) -> present;
            case Primary.Left(Sighting last) -> last;
            case Primary.Unseen unseen -> NOBODY;
            case Primary.Gone gone -> NOBODY;
        };
        Instant firstFailedAt =
                entry.failures().count() == 0 ? park.at() : entry.failures().firstAt();
        return new DeadLetter(
                key.controller(),
                key.primary().toString(),
                park.reason(),
                entry.failures().count(),
                entry.failures().last(),
                entry.failures().history(),
                sighting.uid(),
                sighting.resourceVersion(),
                sighting.generation() < 0 ? Optional.empty() : Optional.of(sighting.generation()),
                firstFailedAt,
                park.at());
    }
}
