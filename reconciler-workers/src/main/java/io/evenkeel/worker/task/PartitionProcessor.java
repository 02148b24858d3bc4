package io.evenkeel.worker.task;

import io.evenkeel.api.ControllerKey;
import io.evenkeel.api.ObjectKey;
import io.evenkeel.api.Partitioner;
import io.evenkeel.api.json.Json;
import io.evenkeel.api.json.MalformedRecordException;
import io.evenkeel.api.record.AttemptOutcome;
import io.evenkeel.api.record.ChangeType;
import io.evenkeel.api.record.ObjectHeaders;
import io.evenkeel.api.record.ReconcileRequest;
import io.evenkeel.api.record.RequestReason;
import io.evenkeel.api.topic.Topic;
import io.evenkeel.worker.health.Progress;
import io.evenkeel.worker.ledger.Input;
import io.evenkeel.worker.ledger.KeyState;
import io.evenkeel.worker.ledger.LedgerEntry;
import io.evenkeel.worker.ledger.Source;
import io.evenkeel.worker.ledger.Step;
import io.evenkeel.worker.object.ObjectJson;
import io.evenkeel.worker.object.ObjectMetadata;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One partition of the worker's topology: decodes the records of {@code objects}, {@code requests} and {@code outcomes},
 * folds them into the ledger, and lets {@link Effects} and {@link Dispatch} do what follows. A record that cannot be read
 * is put aside and never stops the partition.
 */
final class PartitionProcessor implements Processor<Bytes, byte[], Routed, byte[]> {
    /** Store of the newest objects; its changelog is the topic itself. */
    static final String OBJECTS_STORE = "objects";

    /** Store of everything else. */
    static final String WORK_STORE = "work";

    private static final Logger log = LoggerFactory.getLogger(PartitionProcessor.class);
    private static final Duration PUMP = Duration.ofMillis(1);
    private static final Duration TICK = Duration.ofMillis(100);
    private static final Duration SWEEP = Duration.ofMinutes(1);

    /** Longer than a process may go on without committing, so that no repetition comes later. */
    private static final Duration KEPT_AFTER_END = Duration.ofMinutes(30);

    /** A record that is older than the process by this is backlog: nobody waits for it as for a change of now. */
    private static final Duration BACKLOG = Duration.ofSeconds(30);

    private final TaskEnvironment environment;
    private final Instant startedAt;

    private ProcessorContext<Routed, byte[]> context;
    private WorkStore work;
    private Effects effects;
    private Dispatch dispatch;
    private Orphans orphans;
    private Planner planner;
    private SecondaryRouter router;
    private References references;
    private Aside aside;
    private Progress.Turns turns;
    private boolean hadATurn;

    // Kafka Streams constructs first and initialises later: no method is called before init.
    @SuppressWarnings("NullAway.Init")
    PartitionProcessor(TaskEnvironment environment) {
        this.environment = environment;
        this.startedAt = environment.clock().instant();
    }

    @Override
    public void init(ProcessorContext<Routed, byte[]> processorContext) {
        context = processorContext;
        int partition = context.taskId().partition();
        KeyValueStore<Bytes, byte[]> objects = context.getStateStore(OBJECTS_STORE);
        work = new WorkStore(context.getStateStore(WORK_STORE));
        var outlet = new Outlet(context, environment.clock());
        dispatch = new Dispatch(environment, partition, objects, work);
        effects = new Effects(environment, partition, outlet, work, dispatch);
        orphans = new Orphans(environment, partition, work);
        planner = new Planner(environment.controllers(), environment.clock(), environment.random());
        turns = environment.progress().begin(partition);
        aside = new Aside(partition, outlet, environment.metrics());
        BiConsumer<ControllerKey, RequestReason> requests = (key, reason) -> outlet.forward(
                new Routed(
                        Topic.REQUESTS,
                        Partitioner.partition(
                                key.primary(), environment.layout().partitions()),
                        key.toString()),
                Json.write(ReconcileRequest.of(key, environment.clock().instant(), reason)));
        router = new SecondaryRouter(
                environment.controllers(), work, objects, ObjectJson.SERIALIZATION, requests, environment.clock());
        references = new References(work, requests, environment.clock());
        work.holder().ifPresent(this::suspect);
        dispatch.beginAfter(environment.acknowledgements().of(() -> work.hold(environment.worker())));
        work.forEachBusy(this::resume);
        planner.look(work);
        context.schedule(PUMP, PunctuationType.WALL_CLOCK_TIME, now -> pump());
        context.schedule(TICK, PunctuationType.WALL_CLOCK_TIME, now -> tick());
        context.schedule(SWEEP, PunctuationType.WALL_CLOCK_TIME, now -> sweep());
        log.atInfo().addKeyValue("partition", partition).log("partition taken over");
    }

    private void suspect(String holder) {
        log.atInfo()
                .addKeyValue("partition", context.taskId().partition())
                .addKeyValue("holder", holder)
                .log("the partition was not given up in order; attempts begin when their start is on the log");
        dispatch.confirmStarts();
    }

    /** What was under way when the partition was given up last. */
    private void resume(String key, LedgerEntry entry) {
        if (environment.controllers().ofKey(key).isEmpty()) {
            return; // a controller that this worker no longer has; its work stays for a later version
        }
        switch (entry.state()) {
            case KeyState.Pending pending -> dispatch.enqueue(key, pending.lane());
            case KeyState.Running running -> orphans.add(key, running.attemptId());
            case KeyState.Waiting waiting -> effects.reassertLater(key);
            case KeyState.Parked parked -> effects.reassertLater(key);
            case KeyState.Idle idle -> {}
        }
    }

    private void sweep() {
        work.dropBuriedBefore(environment.clock().instant().minus(KEPT_AFTER_END));
        dispatch.sweep();
    }

    private void tick() {
        effects.reassertSome();
        orphans.settle();
        planner.planSome(this::plan);
        dispatch.expire();
        work.writeEntries();
    }

    private void plan(String text, Input.Planned planned) {
        environment.controllers().ofKey(text).ifPresent(unit -> {
            Step step = unit.fold().fold(work.entry(text), planned);
            work.put(text, step.entry());
            effects.perform(unit, ControllerKey.parse(text), text, step);
        });
    }

    /** Starts what may start, and ends the turn. */
    private void pump() {
        hadATurn = true;
        turns.turned();
        dispatch.pump();
        work.writeEntries();
    }

    @Override
    public void process(Record<Bytes, byte[]> message) {
        RecordMetadata at = context.recordMetadata().orElseThrow();
        Runnable folding;
        try {
            folding = decode(message, at);
        } catch (MalformedRecordException | IllegalArgumentException | DateTimeException e) {
            aside.put(message, at, e);
            return;
        }
        folding.run();
        pump();
    }

    /** Reads the record in full, so that whatever fails later is no fault of the record's. */
    private Runnable decode(Record<Bytes, byte[]> message, RecordMetadata at) {
        if (message.key() == null) {
            throw new IllegalArgumentException("the record has no key");
        }
        String key = new String(message.key().get(), StandardCharsets.UTF_8);
        if (at.topic().equals(environment.layout().name(Topic.OBJECTS))) {
            return decodeObject(key, message, at.offset());
        }
        Optional<ControllerUnit> unit = environment.controllers().ofKey(key);
        boolean isOutcome = at.topic().equals(environment.layout().name(Topic.OUTCOMES));
        if (isOutcome) {
            orphans.read(at.offset());
        }
        if (unit.isEmpty()) {
            return () -> {}; // another worker's
        }
        if (message.value() == null) {
            throw new IllegalArgumentException("the record has no value");
        }
        ControllerKey controllerKey = ControllerKey.parse(key);
        if (isOutcome) {
            AttemptOutcome outcome = Json.read(message.value(), AttemptOutcome.class);
            boolean behind = message.headers().lastHeader(OutcomeSender.BEHIND) != null;
            return () -> fold(
                    unit.get(), controllerKey, key, Source.OUTCOMES, at.offset(), new Input.Finished(outcome, behind));
        }
        ReconcileRequest request = Json.read(message.value(), ReconcileRequest.class);
        return () -> foldRequest(unit.get(), controllerKey, key, at.offset(), request);
    }

    private Runnable decodeObject(String text, Record<Bytes, byte[]> message, long offset) {
        ObjectKey key = ObjectKey.parse(text);
        List<ControllerUnit> reconciling = environment.controllers().reconciling(key);
        boolean owned = !environment.controllers().concerning(key).isEmpty();
        if (reconciling.isEmpty() && !owned) {
            return () -> {};
        }
        ObjectHeaders headers = ObjectHeaders.from(message.headers());
        byte[] json = message.value();
        if (json == null || headers.type() == ChangeType.DELETED) {
            boolean left = headers.mayLiveOn(key.namespace());
            return () -> {
                if (owned) {
                    router.deleted(text, headers, left);
                }
                for (ControllerUnit unit : reconciling) {
                    references.deleted(unit, key, headers);
                    foldObject(
                            unit,
                            key,
                            offset,
                            left ? new Input.PrimaryLeft(headers.uid()) : new Input.PrimaryRemoved(headers.uid()));
                }
            };
        }
        ObjectMetadata metadata = ObjectMetadata.of(json);
        return () -> {
            if (owned) {
                router.changed(key, text, headers, metadata, json);
            }
            boolean backlog = headers.observedAt().plus(BACKLOG).isBefore(startedAt);
            var object = new Decoded(ObjectJson.SERIALIZATION, json);
            for (ControllerUnit unit : reconciling) {
                references.changed(unit, key, headers, object);
                boolean wakes = Links.wakes(unit.controller(), key, headers, metadata.deleting(), object);
                foldObject(
                        unit, key, offset, Inputs.primaryChanged(text, headers, metadata.deleting(), backlog, wakes));
            }
        };
    }

    private void foldObject(ControllerUnit unit, ObjectKey key, long offset, Input input) {
        var controllerKey = new ControllerKey(unit.name(), key);
        fold(unit, controllerKey, controllerKey.toString(), Source.OBJECTS, offset, input);
    }

    private void foldRequest(
            ControllerUnit unit, ControllerKey key, String text, long offset, ReconcileRequest request) {
        if (request.reason() instanceof RequestReason.Referenced referenced) {
            router.referenced(unit, key.primary(), referenced);
            return;
        }
        boolean isNews = switch (request.reason()) {
            case RequestReason.SecondaryChanged changed -> keep(text, offset, changed);
            case RequestReason.SecondaryRemoved removed -> keep(text, offset, removed);
            case RequestReason.Referenced referenced -> false;
            case RequestReason.RetryDue due -> true;
            case RequestReason.RequeueDue due -> true;
            case RequestReason.ResyncDue due -> true;
            case RequestReason.Redrive redrive -> true;
            case RequestReason.Audit audit -> true;
            case RequestReason.Manual manual -> true;
        };
        if (isNews) {
            fold(unit, key, text, Source.REQUESTS, offset, Inputs.requested(request));
        }
    }

    private boolean keep(String text, long offset, RequestReason.SecondaryChanged changed) {
        Optional<StoredSecondary> before = work.secondary(text, changed.secondary());
        if (before.filter(stored -> stored.supersedes(changed.resourceVersion(), changed.epoch(), offset)
                        && !stored.isBack(changed.uid(), changed.resourceVersion(), changed.epoch()))
                .isPresent()) {
            return false;
        }
        work.put(
                text,
                changed.secondary(),
                new StoredSecondary(
                        changed.uid(),
                        changed.resourceVersion(),
                        changed.epoch(),
                        offset,
                        false,
                        Json.write(changed.object())));
        return true;
    }

    private boolean keep(String text, long offset, RequestReason.SecondaryRemoved removed) {
        Optional<StoredSecondary> before = work.secondary(text, removed.secondary());
        // A former life's end says nothing of the life that is stored; of the same life, the end is the last word.
        boolean former = before.filter(stored -> !stored.uid().equals(removed.uid())
                        && stored.supersedes(removed.resourceVersion(), removed.epoch(), offset))
                .isPresent();
        boolean again = before.filter(stored -> stored.gone() && stored.uid().equals(removed.uid()))
                .filter(stored -> stored.offset() != offset)
                .isPresent();
        if (former || again) {
            return false;
        }
        work.put(
                text,
                removed.secondary(),
                new StoredSecondary(
                        removed.uid(), removed.resourceVersion(), removed.epoch(), offset, true, new byte[0]));
        work.burySecondary(text, removed.secondary(), environment.clock().instant());
        return true;
    }

    private void fold(ControllerUnit unit, ControllerKey key, String text, Source source, long offset, Input input) {
        LedgerEntry before = work.entry(text);
        Step step = unit.fold().fold(before, source, offset, input);
        if (!step.entry().equals(before)) {
            work.put(text, step.entry());
        }
        effects.perform(unit, key, text, step);
        dispatch.folded(unit, key, text, step.entry(), input);
    }

    @Override
    public void close() {
        if (dispatch != null) {
            dispatch.close();
            turns.end();
            // Kafka Streams lets a task that has had no turn yet write nothing; its note then stays, which does no
            // harm.
            if (hadATurn && environment.membership().mayWrite(context.taskId().partition())) {
                work.giveUp();
            }
        }
    }
}
