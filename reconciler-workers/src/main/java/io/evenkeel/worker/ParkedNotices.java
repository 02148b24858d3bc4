package io.evenkeel.worker;

import io.evenkeel.api.ObjectKey;
import io.evenkeel.api.json.Json;
import io.evenkeel.api.record.DeadLetter;
import io.evenkeel.reconciler.Controller;
import io.evenkeel.reconciler.ResourceType;
import io.evenkeel.worker.attempt.ClusterApis;
import io.evenkeel.worker.attempt.EngineCondition;
import io.evenkeel.worker.attempt.EventText;
import io.evenkeel.worker.attempt.KubernetesApi;
import io.evenkeel.worker.task.ParkedListener;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tells users of the cluster that an object was parked: by a Kubernetes Event, and by a condition in its status where its kind
 * has one. Best effort: the dead letter is what counts. Thread-safe.
 */
final class ParkedNotices implements ParkedListener {
    private static final Logger log = LoggerFactory.getLogger(ParkedNotices.class);
    private static final ResourceType EVENTS = new ResourceType("events.k8s.io", "v1", "Event", "events", true);

    private static final int MOST_TRIES = 5;
    private static final int CONFLICT = 409;
    private static final int NOT_FOUND = 404;

    private final ClusterApis clusters;
    private final String worker;
    private final Executor executor;
    private final Clock clock;

    ParkedNotices(ClusterApis clusters, String worker, Executor executor, Clock clock) {
        this.clusters = clusters;
        this.worker = worker;
        this.executor = executor;
        this.clock = clock;
    }

    @Override
    public void parked(Controller<?> controller, DeadLetter letter, BooleanSupplier mayWrite) {
        executor.execute(() -> {
            tell("Event", letter, () -> create(controller, letter));
            tell("condition", letter, () -> condition(controller, letter, mayWrite));
        });
    }

    /** What is said in one way. */
    private interface Telling {
        void tell() throws InterruptedException;
    }

    @SuppressWarnings("IllegalCatch") // whatever the cluster answers: there is nobody to tell but the log
    private static void tell(String what, DeadLetter letter, Telling telling) {
        try {
            telling.tell();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            log.atWarn()
                    .addKeyValue("key", letter.key())
                    .addKeyValue("cause", String.valueOf(e.getMessage()))
                    .log("no Kubernetes " + what + " for a parked key");
        }
    }

    private void create(Controller<?> controller, DeadLetter letter) throws InterruptedException {
        ObjectKey key = letter.key().primary();
        String namespace = key.namespace().isEmpty() ? "default" : key.namespace();
        clusters.of(key.cluster())
                .create(EVENTS, namespace, event(controller, letter, namespace), controller.fieldManager());
    }

    /** Only on the state that was parked: a newer spec is a new beginning. */
    private void condition(Controller<?> controller, DeadLetter letter, BooleanSupplier mayWrite)
            throws InterruptedException {
        ObjectKey key = letter.key().primary();
        KubernetesApi api = clusters.of(key.cluster());
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            Optional<JsonNode> current = api.get(controller.primary(), key.namespace(), key.name())
                    .map(json -> Json.mapper().readTree(json))
                    .filter(object -> isOf(letter, object.path("metadata")));
            Optional<ObjectNode> patch = current.flatMap(object -> EngineCondition.set(
                    object.path("status").path("conditions"),
                    letter.reason(),
                    note(letter),
                    object.path("metadata").path("generation").asLong(0),
                    clock.instant()));
            if (patch.isEmpty() || !mayWrite.getAsBoolean()) {
                return;
            }
            patch.get()
                    .withObjectProperty("metadata")
                    .put(
                            "resourceVersion",
                            current.orElseThrow()
                                    .path("metadata")
                                    .path("resourceVersion")
                                    .asString(""));
            try {
                api.merge(
                        controller.primary(),
                        key.namespace(),
                        key.name(),
                        "status",
                        patch.get().toString(),
                        controller.fieldManager());
                return;
            } catch (KubernetesClientException e) {
                if (e.getCode() == NOT_FOUND) {
                    return; // its kind has no status, or it is gone
                }
                if (e.getCode() != CONFLICT) {
                    throw e;
                }
            }
        }
    }

    private static boolean isOf(DeadLetter letter, JsonNode metadata) {
        long generation = metadata.path("generation").asLong(-1);
        return metadata.path("uid").asString("").equals(letter.uid())
                && letter.generation().filter(failed -> failed != generation).isEmpty();
    }

    private static String note(DeadLetter letter) {
        return letter.attempts() + " attempts failed, waiting for a new spec or a redrive. Last error: "
                + letter.failure().message();
    }

    private String event(Controller<?> controller, DeadLetter letter, String namespace) {
        ObjectKey key = letter.key().primary();
        ObjectNode event = Json.mapper().createObjectNode();
        event.put("apiVersion", EVENTS.apiVersion()).put("kind", "Event");
        event.putObject("metadata")
                .put("generateName", EventText.namePrefix(key.name()) + ".")
                .put("namespace", namespace);
        event.put("eventTime", clock.instant().truncatedTo(ChronoUnit.MICROS).toString())
                .put("reportingController", "evenkeel.io/" + controller.name())
                .put("reportingInstance", worker)
                .put("action", "Reconcile")
                .put("reason", "Parked")
                .put("type", "Warning")
                .put("note", EventText.note(note(letter)));
        ObjectNode regarding = event.putObject("regarding");
        regarding
                .put("apiVersion", controller.primary().apiVersion())
                .put("kind", key.kind())
                .put("name", key.name())
                .put("uid", letter.uid());
        if (!key.namespace().isEmpty()) {
            regarding.put("namespace", key.namespace());
        }
        return event.toString();
    }
}
