package io.evenkeel.worker.task;

import io.evenkeel.api.ControllerKey;
import io.evenkeel.worker.ledger.KeyState;
import io.evenkeel.worker.ledger.LedgerEntry;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Attempts that ran when the partition was given up. Their outcomes may lie on the topic already; those that have none
 * once it has been read to where it ended at the take-over are lost, and counted as failed. Used by the thread that owns
 * the partition.
 */
final class Orphans {
    private static final Logger log = LoggerFactory.getLogger(Orphans.class);

    private final TaskEnvironment environment;
    private final int partition;
    private final WorkStore work;
    private final Map<String, String> attemptByKey = new HashMap<>();
    private long seen = -1;
    private Optional<CompletableFuture<TakeOver.Bounds>> bounds = Optional.empty();

    Orphans(TaskEnvironment environment, int partition, WorkStore work) {
        this.environment = environment;
        this.partition = partition;
        this.work = work;
    }

    void add(String key, String attemptId) {
        attemptByKey.put(key, attemptId);
    }

    /** An outcome at that offset is about to be folded. */
    void read(long offset) {
        seen = offset;
    }

    /** Declares lost what has no outcome. Asks for the bounds first, and again if that failed. */
    void settle() {
        if (attemptByKey.isEmpty()) {
            return;
        }
        if (bounds.isEmpty() || bounds.get().isCompletedExceptionally()) {
            bounds = Optional.of(environment.takeOver().outcomesOf(partition).toCompletableFuture());
        }
        if (bounds.get().state() != Future.State.SUCCESS
                || !bounds.get().resultNow().isReached(seen)) {
            return;
        }
        Map<String, String> remaining = Map.copyOf(attemptByKey);
        attemptByKey.clear();
        remaining.forEach(this::lose);
    }

    private void lose(String text, String attemptId) {
        LedgerEntry entry = work.entry(text);
        Optional<ControllerUnit> unit = environment.controllers().ofKey(text);
        if (unit.isEmpty()
                || !(entry.state() instanceof KeyState.Running running)
                || !running.attemptId().equals(attemptId)) {
            return;
        }
        log.atWarn()
                .addKeyValue("key", text)
                .addKeyValue("attempt", attemptId)
                .log("worker lost: the attempt has no outcome");
        environment
                .outcomes()
                .send(
                        partition,
                        unit.get()
                                .runner()
                                .lost(
                                        ControllerKey.parse(text),
                                        attemptId,
                                        entry.failures().count() + 1,
                                        running),
                        false,
                        () -> {});
    }
}
