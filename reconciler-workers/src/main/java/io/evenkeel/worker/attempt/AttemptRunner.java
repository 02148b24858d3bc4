package io.evenkeel.worker.attempt;

import io.evenkeel.api.ControllerKey;
import io.evenkeel.api.ObjectKey;
import io.evenkeel.api.record.AttemptOutcome;
import io.evenkeel.api.record.AttemptOutcome.Result;
import io.evenkeel.api.record.Failure;
import io.evenkeel.reconciler.Controller;
import io.evenkeel.reconciler.ErrorClass;
import io.evenkeel.reconciler.NamedCleanup;
import io.evenkeel.reconciler.Outcome;
import io.evenkeel.reconciler.ResourceType;
import io.evenkeel.reconciler.Secondary;
import io.evenkeel.reconciler.WriteRefusedException;
import io.evenkeel.worker.ledger.KeyState;
import io.evenkeel.worker.object.ObjectMetadata;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * Runs the handler of one controller for one attempt after another, each on the caller's thread, and turns whatever
 * happens into an outcome. Thread-safe.
 *
 * @param <T> Java class of the primary
 */
public final class AttemptRunner<T extends HasMetadata> {
    private static final String GIVEN_AWAY = "the worker gave the object away";

    /** What was put off together shall not come back together. */
    private static final long MOST_SPREAD_MILLIS = 1_000;

    private static final String GONE = "the object is gone";

    private final Controller<T> controller;
    private final ClusterApis clusters;
    private final String worker;
    private final Clock clock;
    private final RandomGenerator random;
    private final Optional<ObjectSchemas> schemas;

    /**
     * @param controller what to run
     * @param clusters whose API servers it may write to
     * @param worker id of this process
     * @param clock of this process
     * @param random draws the jitter of retries; must be thread-safe
     */
    public AttemptRunner(
            Controller<T> controller, ClusterApis clusters, String worker, Clock clock, RandomGenerator random) {
        this.controller = controller;
        this.clusters = clusters;
        this.worker = worker;
        this.clock = clock;
        this.random = random;
        boolean isCustom = CustomResource.class.isAssignableFrom(controller.type())
                || GenericKubernetesResource.class.isAssignableFrom(controller.type());
        this.schemas = isCustom ? Optional.of(new ObjectSchemas(controller.primary(), clock)) : Optional.empty();
    }

    /** Runs it; never throws. */
    public AttemptResult run(Attempt attempt) {
        Attempt.Begun begun = attempt.begin(clock.instant());
        Snapshot snapshot = begun.snapshot();
        var replica = new Replica(snapshot);
        var behind = new AtomicBoolean();
        Decision decision = decide(attempt, snapshot, replica, attempt.writes(), behind);
        attempt.end();
        AttemptOutcome outcome = outcome(attempt, begun, decision);
        return new AttemptResult(outcome, behind.get(), attempt.writes().bodies());
    }

    /**
     * The outcome of an attempt whose handler goes on although it took too long and was interrupted.
     *
     * @throws IllegalStateException if the handler has not begun, or was not interrupted
     */
    public AttemptOutcome abandoned(Attempt attempt) {
        return outcome(
                attempt,
                attempt.begun().orElseThrow(IllegalStateException::new),
                timedOut(attempt).orElseThrow(IllegalStateException::new));
    }

    private Optional<Decision> timedOut(Attempt attempt) {
        return attempt.expiry()
                .map(expiry -> Decision.timedOut(controller.policy().attemptTimeout(), expiry.stack()));
    }

    private AttemptOutcome outcome(Attempt attempt, Attempt.Begun begun, Decision decision) {
        Snapshot snapshot = begun.snapshot();
        Instant finishedAt = clock.instant();
        return new AttemptOutcome(
                controller.name(),
                attempt.key().primary().toString(),
                attempt.id(),
                snapshot.attempt(),
                worker,
                snapshot.causes(),
                snapshot.sighting().uid(),
                snapshot.sighting().resourceVersion(),
                generation(snapshot),
                begun.at(),
                finishedAt,
                decision.result(),
                decision.reason(),
                decision.failure(),
                attempt.writes().records(),
                due(decision, snapshot.attempt(), finishedAt));
    }

    /** The outcome of an attempt whose worker died: nobody else can say it. */
    public AttemptOutcome lost(ControllerKey key, String attemptId, int attempt, KeyState.Running running) {
        Instant now = clock.instant();
        var failure = new Failure(Result.WORKER_LOST.name(), "the worker was lost while the handler ran", "");
        return new AttemptOutcome(
                controller.name(),
                key.primary().toString(),
                attemptId,
                attempt,
                worker,
                running.causes(),
                running.handled().uid(),
                running.handled().resourceVersion(),
                running.handled().generation() < 0
                        ? Optional.empty()
                        : Optional.of(running.handled().generation()),
                running.startedAt(),
                now,
                Result.WORKER_LOST,
                failure.message(),
                Optional.of(failure),
                List.of(),
                controller.policy().backoff().delayAfter(attempt, random).map(now::plus));
    }

    private static Optional<Long> generation(Snapshot snapshot) {
        long generation = snapshot.sighting().generation();
        return generation < 0 ? Optional.empty() : Optional.of(generation);
    }

    /** The due time is drawn here, once, so that whoever folds the outcome comes to the same ledger. */
    private Optional<Instant> due(Decision decision, int attempt, Instant finishedAt) {
        return switch (decision.result()) {
            case REQUEUE -> sooner(decision.delay().map(finishedAt::plus), next(finishedAt));
            case DONE, WAITING -> next(finishedAt);
            case DEFERRED ->
                decision.delay().map(delay -> finishedAt.plus(delay).plusMillis(random.nextLong(MOST_SPREAD_MILLIS)));
            case FAILED, WORKER_LOST -> {
                Optional<Duration> backoff = controller.policy().backoff().delayAfter(attempt, random);
                yield backoff.map(delay -> finishedAt.plus(decision.delay().orElse(delay)));
            }
            case FAILED_FOR_GOOD, INTERRUPTED -> Optional.empty();
        };
    }

    private Optional<Instant> next(Instant finishedAt) {
        return controller.policy().timetable().next(finishedAt, random);
    }

    private static Optional<Instant> sooner(Optional<Instant> one, Optional<Instant> other) {
        return Stream.concat(one.stream(), other.stream()).min(Comparator.naturalOrder());
    }

    // A handler may throw anything, an Error too: it is a failure of its key, never of the worker.
    @SuppressWarnings("IllegalCatch")
    private Decision decide(Attempt attempt, Snapshot snapshot, Replica replica, Writes writes, AtomicBoolean behind) {
        try {
            KubernetesApi api = clusters.of(attempt.key().primary().cluster());
            var handling = new Handling(attempt, snapshot, replica, writes, api);
            Decision decision;
            try {
                decision = handling.decide();
            } finally {
                behind.set(handling.primaryWriter.isBehind());
            }
            Optional<Decision> overruled = overruled(attempt, decision.failure().isPresent(), writes.wereRefused());
            if (overruled.isPresent()) {
                return overruled.get();
            }
            return decision.result() == Result.FAILED ? unlessClosed(attempt, decision) : decision;
        } catch (Throwable e) {
            return overruled(attempt, true, e instanceof WriteRefusedException)
                    .orElseGet(() -> unlessClosed(attempt, failed(e)));
        }
    }

    private Decision failed(Throwable error) {
        ErrorClass kind = controller.policy().errors().classify(error).orElse(ErrorClass.TRANSIENT);
        return Decision.failed(kind, error, controller.policy().backoff());
    }

    /** What counts, whatever the handler made of it, because the attempt was not let come to its own end. */
    private Optional<Decision> overruled(Attempt attempt, boolean failed, boolean refused) {
        if (attempt.isCancelled() && failed) {
            return Optional.of(Decision.interrupted(GIVEN_AWAY));
        }
        Optional<Decision> timedOut = timedOut(attempt);
        return timedOut.isPresent() || !refused ? timedOut : Optional.of(Decision.interrupted(GIVEN_AWAY));
    }

    /** A failure that comes of a cluster being out of reach does not count against the key: it waits for the cluster. */
    private Decision unlessClosed(Attempt attempt, Decision failed) {
        return clusters.closedBecause(attempt.key().primary().cluster())
                .map(Decision::interrupted)
                .orElse(failed);
    }

    /** One attempt's walk through finalizer, handler and status. */
    private final class Handling {
        private final Attempt attempt;
        private final Snapshot snapshot;
        private final Replica replica;
        private final Writes writes;
        private final ObjectKey key;
        private final KubernetesApi api;
        private final PrimaryWriter<T> primaryWriter;

        Handling(Attempt attempt, Snapshot snapshot, Replica replica, Writes writes, KubernetesApi api) {
            this.attempt = attempt;
            this.snapshot = snapshot;
            this.replica = replica;
            this.writes = writes;
            this.key = attempt.key().primary();
            this.api = api;
            this.primaryWriter = new PrimaryWriter<>(controller, api, attempt.gate(), replica, writes, key);
        }

        Decision decide() throws Exception {
            if (!readStale()) {
                return Decision.done(GONE);
            }
            ObjectMetadata metadata = ObjectMetadata.of(replica.primary().json());
            if (metadata.deleting()) {
                return cleanUp(metadata);
            }
            if (!controller.cleanups().isEmpty() && !primaryWriter.addFinalizers()) {
                return Decision.done(GONE);
            }
            Optional<Decision> invalid = invalid();
            if (invalid.isPresent()) {
                return invalid.get();
            }
            T primary;
            try {
                primary = decode();
            } catch (RuntimeException e) {
                return Decision.invalid(e);
            }
            return conclude(controller.reconciler().reconcile(primary, context(primary)));
        }

        private Optional<Decision> invalid() throws InterruptedException {
            if (schemas.isEmpty()) {
                return Optional.empty();
            }
            List<String> violations = schemas.get()
                    .violations(api, key.cluster(), replica.primary().json());
            return violations.isEmpty()
                    ? Optional.empty()
                    : Optional.of(Decision.invalid(String.join("; ", violations)));
        }

        /** One after the other; what is done is known by its finalizer being gone. */
        private Decision cleanUp(ObjectMetadata metadata) throws Exception {
            List<NamedCleanup<T>> open = controller.cleanups().stream()
                    .filter(cleanup -> metadata.finalizers().contains(cleanup.finalizer()))
                    .toList();
            if (open.isEmpty()) {
                return Decision.done("the object is being deleted");
            }
            for (NamedCleanup<T> next : open) {
                T primary;
                try {
                    primary = decode();
                } catch (RuntimeException e) {
                    return Decision.invalid(e);
                }
                Outcome outcome = next.cleanup().cleanup(primary, context(primary));
                if (!(outcome instanceof Outcome.Done)) {
                    return conclude(outcome);
                }
                if (!primaryWriter.removeFinalizer(next.finalizer())) {
                    return Decision.done(GONE);
                }
            }
            return Decision.done("cleaned up");
        }

        private Decision conclude(Outcome outcome) throws InterruptedException {
            if (outcome.status().isPresent()
                    && !primaryWriter.writeStatus(outcome.status().get())) {
                return Decision.done(GONE);
            }
            boolean getsOn = outcome instanceof Outcome.Done
                    || outcome instanceof Outcome.Waiting
                    || outcome instanceof Outcome.RequeueAfter;
            if (getsOn && EngineCondition.mayHold(replica.primary().json()) && !primaryWriter.clearNotices()) {
                return Decision.done(GONE);
            }
            return Decision.of(outcome);
        }

        /** Reads what this controller wrote and the log does not show yet; false if the primary is gone. */
        private boolean readStale() throws InterruptedException {
            for (String stale : snapshot.stale()) {
                ObjectKey staleKey = ObjectKey.parse(stale);
                boolean isPrimary = staleKey.equals(key);
                Optional<ResourceType> type = isPrimary
                        ? Optional.of(controller.primary())
                        : controller.secondaries(staleKey.group(), staleKey.kind()).stream()
                                .<ResourceType>map(Secondary::resource)
                                .findFirst();
                if (type.isEmpty()) {
                    continue;
                }
                Optional<byte[]> fresh = api.get(type.get(), staleKey.namespace(), staleKey.name());
                if (fresh.isEmpty() && isPrimary) {
                    return false;
                }
                if (fresh.isEmpty()) {
                    replica.remove(stale);
                    continue;
                }
                ObjectMetadata metadata = ObjectMetadata.of(fresh.get());
                var object = new LocalObject(stale, metadata.uid(), metadata.resourceVersion(), fresh.get());
                if (isPrimary) {
                    replica.primary(object);
                } else {
                    replica.put(object);
                }
            }
            return true;
        }

        private T decode() {
            return api.serialization()
                    .unmarshal(new String(replica.primary().json(), StandardCharsets.UTF_8), controller.type());
        }

        private AttemptContext<T> context(T primary) {
            return new AttemptContext<>(
                    controller, api, attempt.gate(), replica, writes, key, primary, snapshot.attempt(), clock);
        }
    }
}
