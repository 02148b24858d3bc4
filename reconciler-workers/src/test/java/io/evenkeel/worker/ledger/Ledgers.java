package io.evenkeel.worker.ledger;

import io.evenkeel.api.record.AttemptOutcome;
import io.evenkeel.api.record.AttemptOutcome.Result;
import io.evenkeel.api.record.Cause;
import io.evenkeel.api.record.DeadLetter;
import io.evenkeel.api.record.Failure;
import io.evenkeel.api.record.Write;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Entries and inputs for tests. */
final class Ledgers {
    static final Instant NOW = Instant.parse("2026-11-30T09:00:00Z");
    static final String KEY = "local/test.evenkeel.io/Widget/default/a";
    static final String CHILD = "local/apps/Deployment/default/a";

    private Ledgers() {}

    static Cause cause(String type) {
        return new Cause(type, Optional.empty(), "", NOW);
    }

    static Cause cause(String type, Instant at) {
        return new Cause(type, Optional.empty(), "", at);
    }

    static Sighting sighting(int version, int generation) {
        return new Sighting("uid", Integer.toString(version), generation, false, 1);
    }

    static LedgerEntry present(KeyState state) {
        return LedgerEntry.NEW.with(new Primary.Present(sighting(10, 1))).to(state);
    }

    static KeyState.Pending pending(Lane lane) {
        return new KeyState.Pending(lane, List.of(cause("FIRST")));
    }

    static KeyState.Running running() {
        return new KeyState.Running("attempt", sighting(10, 1), NOW, List.of(cause("FIRST")), Seen.NOTHING);
    }

    static KeyState.Waiting retry() {
        return new KeyState.Waiting(KeyState.Kind.RETRY, NOW.plusSeconds(60), NOW, "broken");
    }

    static KeyState.Waiting requeue() {
        return new KeyState.Waiting(KeyState.Kind.REQUEUE, NOW.plusSeconds(60), NOW, "later");
    }

    static KeyState.Waiting resync() {
        return new KeyState.Waiting(KeyState.Kind.RESYNC, NOW.plusSeconds(60), NOW, "");
    }

    static KeyState.Parked parked() {
        return new KeyState.Parked(DeadLetter.Reason.OUT_OF_ATTEMPTS, NOW);
    }

    static Failures failures(int count) {
        Failures failures = Failures.NONE;
        for (int i = 0; i < count; i++) {
            failures = failures.with(outcome(Result.FAILED, Optional.empty()));
        }
        return failures;
    }

    static Input.PrimaryChanged changed(int version, int generation) {
        return new Input.PrimaryChanged(KEY, sighting(version, generation), false, false, true, true, cause("CHANGED"));
    }

    static Input.SecondaryChanged child(int version, Instant at) {
        return new Input.SecondaryChanged(CHILD, Integer.toString(version), false, true, true, cause("CHILD", at));
    }

    static Input.Finished finished(Result result) {
        Optional<Instant> due = result == Result.REQUEUE || result == Result.FAILED || result == Result.DEFERRED
                ? Optional.of(NOW.plusSeconds(60))
                : Optional.empty();
        return new Input.Finished(outcome(result, due), false);
    }

    static Write write(String key, int version) {
        return new Write(
                "apply", key, Optional.empty(), Optional.of("child"), Optional.of(Integer.toString(version)), "hash");
    }

    static AttemptOutcome outcome(Result result, Optional<Instant> due, Write... writes) {
        boolean failed = result == Result.FAILED || result == Result.FAILED_FOR_GOOD || result == Result.WORKER_LOST;
        return new AttemptOutcome(
                "widgets",
                KEY,
                "attempt",
                1,
                "worker",
                List.of(),
                "uid",
                "10",
                Optional.of(1L),
                NOW,
                NOW,
                result,
                "",
                failed ? Optional.of(new Failure("Broken", "broken", "")) : Optional.empty(),
                List.of(writes),
                due);
    }
}
