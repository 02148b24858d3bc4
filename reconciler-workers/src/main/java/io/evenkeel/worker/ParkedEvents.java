package io.evenkeel.worker;

import io.evenkeel.api.ObjectKey;
import io.evenkeel.api.json.Json;
import io.evenkeel.api.record.DeadLetter;
import io.evenkeel.reconciler.Controller;
import io.evenkeel.reconciler.ResourceType;
import io.evenkeel.worker.attempt.ClusterApis;
import io.evenkeel.worker.attempt.EventText;
import io.evenkeel.worker.task.ParkedListener;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tells users of the cluster that an object was parked, by a Kubernetes Event. Best effort: the dead letter is what
 * counts. Thread-safe.
 */
final class ParkedEvents implements ParkedListener {
    private static final Logger log = LoggerFactory.getLogger(ParkedEvents.class);
    private static final ResourceType EVENTS = new ResourceType("events.k8s.io", "v1", "Event", "events", true);

    private final ClusterApis clusters;
    private final String worker;
    private final Executor executor;
    private final Clock clock;

    ParkedEvents(ClusterApis clusters, String worker, Executor executor, Clock clock) {
        this.clusters = clusters;
        this.worker = worker;
        this.executor = executor;
        this.clock = clock;
    }

    @Override
    public void parked(Controller<?> controller, DeadLetter letter) {
        executor.execute(() -> create(controller, letter));
    }

    @SuppressWarnings("IllegalCatch") // whatever the cluster answers: there is nobody to tell but the log
    private void create(Controller<?> controller, DeadLetter letter) {
        ObjectKey key = letter.key().primary();
        try {
            String namespace = key.namespace().isEmpty() ? "default" : key.namespace();
            clusters.of(key.cluster())
                    .create(EVENTS, namespace, event(controller, letter, namespace), controller.fieldManager());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            log.atWarn()
                    .addKeyValue("key", letter.key())
                    .addKeyValue("cause", String.valueOf(e.getMessage()))
                    .log("no Kubernetes Event for a parked key");
        }
    }

    private String event(Controller<?> controller, DeadLetter letter, String namespace) {
        ObjectKey key = letter.key().primary();
        String note = letter.attempts() + " attempts failed, waiting for a new spec or a redrive. Last error: "
                + letter.failure().message();
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
                .put("note", EventText.note(note));
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
