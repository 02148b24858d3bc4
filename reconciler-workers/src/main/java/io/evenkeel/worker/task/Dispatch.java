package io.evenkeel.worker.task;

import io.evenkeel.api.ControllerKey;
import io.evenkeel.api.record.AttemptOutcome;
import io.evenkeel.worker.attempt.Attempt;
import io.evenkeel.worker.attempt.AttemptResult;
import io.evenkeel.worker.attempt.WriteGate;
import io.evenkeel.worker.dispatch.Ticket;
import io.evenkeel.worker.ledger.Input;
import io.evenkeel.worker.ledger.KeyState;
import io.evenkeel.worker.ledger.Lane;
import io.evenkeel.worker.ledger.LedgerEntry;
import io.evenkeel.worker.ledger.Seen;
import io.evenkeel.worker.ledger.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes permits for one partition's pending keys and starts attempts. Permits are granted on any thread; everything else
 * happens on the thread that owns the partition, which looks after granted permits at least every few milliseconds while
 * keys are waiting.
 */
final class Dispatch implements Ticket.Holder {
    private static final Logger log = LoggerFactory.getLogger(Dispatch.class);

    /** After the interrupt: a handler that does not end within it is left behind, its writes are refused. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    /** A look at each running attempt costs more than all that a handler that returns at once costs otherwise. */
    private static final Duration BETWEEN_LOOKS_AT_TIMEOUTS = Duration.ofMillis(500);

    /** How long starts are confirmed: whatever killed the process before lies at the head of the backlog. */
    private static final Duration SUSPICION = Duration.ofMinutes(1);

    private final TaskEnvironment environment;
    private final int partition;
    private final WorkStore work;
    private final Overlay overlay;
    private final Snapshots snapshots;
    private final WriteGate gate;
    private final String incarnation;
    private final ConcurrentLinkedQueue<Ticket> granted = new ConcurrentLinkedQueue<>();
    private final Map<String, Running> running = new HashMap<>();
    private final ArrayDeque<String> suspects = new ArrayDeque<>();
    private final Set<String> paused = new LinkedHashSet<>();
    private long attempts;
    private volatile long pausesSeen;
    private Instant confirmUntil = Instant.MIN;
    private Instant timeoutsSeen = Instant.MIN;
    private CompletionStage<Boolean> held = CompletableFuture.completedFuture(true);
    private volatile boolean closed;

    /**
     * An attempt that was started.
     *
     * @param release what it holds; running it again does nothing
     */
    private record Running(ControllerUnit unit, Attempt attempt, Runnable release) {}

    Dispatch(TaskEnvironment environment, int partition, ReadOnlyKeyValueStore<Bytes, byte[]> objects, WorkStore work) {
        this.environment = environment;
        this.partition = partition;
        this.work = work;
        this.overlay = new Overlay(environment.clock());
        this.snapshots = new Snapshots(objects, work, overlay);
        this.gate = new WriteGate(() -> environment.membership().mayWrite(partition));
        this.incarnation = environment.worker() + "/" + partition + "."
                + Long.toString(environment.clock().millis(), Character.MAX_RADIX) + ".";
    }

    @Override
    public void granted(Ticket ticket) {
        granted.add(ticket);
        // The partition may have been closed while the permit was on its way here.
        if (closed && granted.remove(ticket)) {
            unit(ticket).permits().release(ticket.cluster());
        }
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    /**
     * From now on for a while an attempt begins only when its start is on the log. A handler may kill its process before a
     * record gets out of it; without this, such an attempt would never be counted, and the next owner would make it again.
     */
    void confirmStarts() {
        confirmUntil = environment.clock().instant().plus(SUSPICION);
    }

    /**
     * No attempt begins before that: whatever may kill this process shall find its note on the log, or the next owner
     * would have no reason for suspicion, and the one after it neither.
     *
     * @param noted completes when this process is known to hold the partition
     */
    void beginAfter(CompletionStage<Boolean> noted) {
        held = noted;
    }

    /** Interrupts handlers that take too long, and leaves behind those that go on all the same. */
    void expire() {
        Instant now = environment.clock().instant();
        if (timeoutsSeen.plus(BETWEEN_LOOKS_AT_TIMEOUTS).isAfter(now)) {
            return;
        }
        timeoutsSeen = now;
        running.forEach((text, started) -> {
            started.attempt().expire(now, started.unit().controller().policy().attemptTimeout());
            if (started.attempt().isAbandonable(now, GRACE) && started.attempt().settle()) {
                abandon(text, started);
            }
        });
    }

    private void abandon(String text, Running started) {
        started.release().run();
        started.unit().metrics().abandoned().increment();
        log.atError()
                .addKeyValue("key", text)
                .addKeyValue("attempt", started.attempt().id())
                .log("handler does not end after its timeout; it is left behind and can write no more");
        conclude(started, text, started.unit().runner().abandoned(started.attempt()), false);
    }

    /** Lets go of what is too old to be of use. */
    void sweep() {
        overlay.forgetOld();
    }

    void enqueue(String text, Lane lane) {
        environment.controllers().ofKey(text).ifPresent(unit -> unit.permits().offer(Ticket.of(text, lane, this)));
    }

    /** Starts an attempt for each permit that was granted. */
    void pump() {
        askAgainForASuspect();
        askAgainForThePaused();
        for (Ticket ticket = granted.poll(); ticket != null; ticket = granted.poll()) {
            admit(unit(ticket), ticket.key());
        }
    }

    private void askAgainForThePaused() {
        long newest = environment.pauses().version();
        if (paused.isEmpty() || pausesSeen == newest) {
            return;
        }
        pausesSeen = newest;
        List<String> before = List.copyOf(paused);
        paused.clear(); // whoever is still paused comes back here
        before.forEach(this::enqueueAgain);
    }

    private void enqueueAgain(String text) {
        if (work.entry(text).state() instanceof KeyState.Pending pending) {
            enqueue(text, pending.lane());
        }
    }

    private void askAgainForASuspect() {
        if (suspects.isEmpty() || !environment.quarantine().isFree()) {
            return;
        }
        enqueueAgain(suspects.remove());
    }

    private void admit(ControllerUnit unit, String text) {
        LedgerEntry entry = work.entry(text);
        if (closed || !(entry.state() instanceof KeyState.Pending)) {
            unit.permits().release(clusterOf(text)); // a stale ticket
            return;
        }
        long pausesNow = environment.pauses().version(); // before the question, so that no answer is missed
        if (environment.pauses().concernObjects() && environment.pauses().isPaused(ControllerKey.parse(text))) {
            if (paused.isEmpty()) {
                pausesSeen = pausesNow;
            }
            paused.add(text);
            unit.permits().release(clusterOf(text));
            return;
        }
        if (!entry.failures().isSuspect()) {
            start(unit, text, entry, () -> unit.permits().release(clusterOf(text)));
            return;
        }
        Optional<Runnable> leave = environment.quarantine().enter();
        if (leave.isEmpty()) {
            suspects.add(text);
            unit.permits().release(clusterOf(text));
            return;
        }
        start(unit, text, entry, () -> {
            leave.get().run();
            unit.permits().release(clusterOf(text));
        });
    }

    /** An entry was folded: an attempt that has not begun is given the newest state, one that is over is forgotten. */
    void folded(ControllerUnit unit, ControllerKey key, String text, LedgerEntry entry, Input input) {
        if (input instanceof Input.Finished) {
            Running started = running.get(text);
            boolean isOver = started != null
                    && !(entry.state() instanceof KeyState.Running current
                            && current.attemptId().equals(started.attempt().id()));
            if (isOver) {
                running.remove(text);
            }
        }
        if (entry.ownWrites().isEmpty() && !(entry.state() instanceof KeyState.Running)) {
            overlay.forget(text);
        }
        if (input instanceof Input.Finished) {
            return;
        }
        if (entry.state() instanceof KeyState.Running current && !current.seen().equals(Seen.NOTHING)) {
            refresh(unit, key, text, entry);
        }
    }

    private void refresh(ControllerUnit unit, ControllerKey key, String text, LedgerEntry entry) {
        Running started = running.get(text);
        if (started == null || !started.attempt().isWaiting()) {
            return;
        }
        Step step = unit.fold().fold(entry, new Input.Refreshed());
        Optional<Snapshots.Taken> newest = snapshots.take(unit, key, text, step.entry());
        if (newest.isPresent() && started.attempt().refresh(newest.get().snapshot())) {
            work.put(text, step.entry());
        }
    }

    /** @param release run when the attempt is over, or when it cannot begin */
    private void start(ControllerUnit unit, String text, LedgerEntry entry, Runnable release) {
        ControllerKey key = ControllerKey.parse(text);
        Optional<Snapshots.Taken> taken = snapshots.take(unit, key, text, entry);
        if (taken.isEmpty()) {
            log.atWarn().addKeyValue("key", text).log("pending key has no object; its deletion will come");
            release.run();
            return;
        }
        String attemptId = incarnation + attempts++;
        var started = new Input.Started(
                attemptId, environment.clock().instant(), taken.get().unseen());
        work.put(text, unit.fold().fold(entry, started).entry());
        var attempt = new Attempt(attemptId, key, gate, taken.get().snapshot());
        var released = new AtomicBoolean();
        var run = new Running(unit, attempt, () -> {
            if (released.compareAndSet(false, true)) {
                release.run();
            }
        });
        running.put(text, run);
        boolean suspected = environment.clock().instant().isBefore(confirmUntil);
        CompletionStage<Boolean> safe =
                suspected ? environment.acknowledgements().of(work::writeEntries) : held;
        safe.whenComplete((acknowledged, refused) -> {
            if (refused == null) {
                environment.handlers().execute(() -> run(run, text));
            } else {
                // Kafka Streams gives the partition up for the same reason; whoever takes it over begins anew.
                log.atWarn().addKeyValue("key", text).setCause(refused).log("attempt not begun");
                run.release().run();
                attempt.concluded().complete(null);
            }
        });
    }

    /** On the handler's thread. */
    private void run(Running started, String text) {
        AttemptResult result;
        boolean abandoned;
        try {
            result = started.unit().runner().run(started.attempt());
            abandoned = !started.attempt().settle();
            if (!abandoned) {
                overlay.put(text, result.written());
            }
        } finally {
            started.release().run();
        }
        if (abandoned) {
            log.atWarn().addKeyValue("key", text).log("handler ended after it was left behind");
            return;
        }
        conclude(started, text, result.outcome(), result.behind());
    }

    private void conclude(Running started, String text, AttemptOutcome outcome, boolean behind) {
        started.unit().metrics().count(outcome.result(), Duration.between(outcome.startedAt(), outcome.finishedAt()));
        report(text, outcome);
        environment
                .outcomes()
                .send(
                        partition,
                        outcome,
                        behind,
                        () -> started.attempt().concluded().complete(null));
    }

    private static void report(String text, AttemptOutcome outcome) {
        var line = outcome.failure().isPresent() ? log.atWarn() : log.atDebug();
        line.addKeyValue("key", text)
                .addKeyValue("attempt", outcome.attempt())
                .addKeyValue("outcome", outcome.result())
                .addKeyValue("writes", outcome.writes().size())
                .addKeyValue("reason", outcome.reason())
                .log("attempt finished");
    }

    /**
     * The partition goes to somebody else: no new attempts; running ones may come to their end for the drain time, then
     * are interrupted, and nothing is written any more.
     */
    void close() {
        closed = true;
        for (Ticket ticket = granted.poll(); ticket != null; ticket = granted.poll()) {
            unit(ticket).permits().release(ticket.cluster());
        }
        List<Attempt> open = running.values().stream().map(Running::attempt).toList();
        boolean drained = await(open, environment.membership().drainTime(partition));
        gate.close();
        if (!drained) {
            open.forEach(Attempt::cancel);
            drained = await(open, GRACE);
        }
        log.atInfo()
                .addKeyValue("partition", partition)
                .addKeyValue("attempts", open.size())
                .addKeyValue("drained", drained)
                .log("partition given up");
    }

    private static boolean await(List<Attempt> open, Duration time) {
        var all = new ArrayList<CompletableFuture<Void>>();
        open.forEach(attempt -> all.add(attempt.concluded()));
        try {
            CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
                    .get(Math.max(1, time.toMillis()), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException("an attempt never concludes exceptionally", e);
        }
    }

    private ControllerUnit unit(Ticket ticket) {
        return environment.controllers().ofKey(ticket.key()).orElseThrow();
    }

    private static String clusterOf(String text) {
        int from = text.indexOf('/') + 1;
        return text.substring(from, text.indexOf('/', from));
    }
}
