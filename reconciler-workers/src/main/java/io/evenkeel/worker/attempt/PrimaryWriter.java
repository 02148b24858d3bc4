package io.evenkeel.worker.attempt;

import io.evenkeel.api.ObjectKey;
import io.evenkeel.api.json.Json;
import io.evenkeel.api.record.Write;
import io.evenkeel.reconciler.Controller;
import io.evenkeel.worker.object.ObjectMetadata;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The engine's own writes to a primary: finalizer and status. Each carries the resourceVersion that it was made for, so
 * that nothing which changed meanwhile goes unseen; after a conflict the newest state is read and the write made anew.
 */
final class PrimaryWriter<T extends HasMetadata> {
    private static final int CONFLICT = 409;
    private static final int NOT_FOUND = 404;
    private static final int MOST_TRIES = 5;

    private final Controller<T> controller;
    private final KubernetesApi api;
    private final WriteGate gate;
    private final Replica replica;
    private final Writes writes;
    private final ObjectKey key;
    private boolean behind;

    PrimaryWriter(
            Controller<T> controller,
            KubernetesApi api,
            WriteGate gate,
            Replica replica,
            Writes writes,
            ObjectKey key) {
        this.controller = controller;
        this.api = api;
        this.gate = gate;
        this.replica = replica;
        this.writes = writes;
        this.key = key;
    }

    /** Whether a conflict showed that the primary is newer than what the handler saw. */
    boolean isBehind() {
        return behind;
    }

    /** Adds those of the controller's finalizers that are missing; false if the primary is gone. */
    boolean addFinalizers() throws InterruptedException {
        return patch("", metadata -> {
            var finalizers = new LinkedHashSet<>(metadata.finalizers());
            boolean missing = controller.cleanups().stream()
                    .map(cleanup -> finalizers.add(cleanup.finalizer()))
                    .reduce(false, Boolean::logicalOr);
            return metadata.deleting() || !missing ? Optional.empty() : Optional.of(finalizersPatch(finalizers));
        });
    }

    /** Removes a finalizer; false if the primary is gone. */
    boolean removeFinalizer(String done) throws InterruptedException {
        return patch("", metadata -> {
            if (!metadata.finalizers().contains(done)) {
                return Optional.empty();
            }
            List<String> finalizers = metadata.finalizers().stream()
                    .filter(finalizer -> !finalizer.equals(done))
                    .toList();
            return Optional.of(finalizersPatch(finalizers));
        });
    }

    /** Takes back what the engine said about the primary while it did not get on; false if the primary is gone. */
    boolean clearNotices() throws InterruptedException {
        return patch(
                "status",
                metadata -> EngineCondition.without(
                        tree(new String(replica.primary().json(), StandardCharsets.UTF_8))
                                .path("status")
                                .path("conditions")));
    }

    /** Writes the status where it differs; false if the primary is gone. */
    boolean writeStatus(Object status) throws InterruptedException {
        JsonNode wanted = tree(api.serialization().asJson(status));
        return patch(
                "status",
                metadata -> JsonDifference.mergePatch(modelledStatus(), wanted).map(difference -> {
                    ObjectNode patch = Json.mapper().createObjectNode();
                    patch.set("status", difference);
                    return patch;
                }));
    }

    private boolean patch(String subresource, Change change) throws InterruptedException {
        for (int attempt = 1; ; attempt++) {
            ObjectMetadata metadata = ObjectMetadata.of(replica.primary().json());
            Optional<ObjectNode> patch = change.of(metadata);
            if (patch.isEmpty()) {
                return true;
            }
            ObjectNode locked = patch.get();
            locked.withObjectProperty("metadata").put("resourceVersion", metadata.resourceVersion());
            try {
                send(subresource, locked.toString());
                return true;
            } catch (KubernetesClientException e) {
                if (e.getCode() == NOT_FOUND && !existsStill(subresource)) {
                    return false;
                }
                if (e.getCode() != CONFLICT || attempt >= MOST_TRIES) {
                    throw e;
                }
                behind = true;
                if (!reread(metadata.uid())) {
                    return false;
                }
            }
        }
    }

    private void send(String subresource, String json) throws InterruptedException {
        gate.check();
        byte[] answer = api.merge(
                controller.primary(), key.namespace(), key.name(), subresource, json, controller.fieldManager());
        ObjectMetadata written = ObjectMetadata.of(answer);
        var body = new LocalObject(key.toString(), written.uid(), written.resourceVersion(), answer);
        replica.primary(body);
        writes.add(
                new Write(
                        "patch",
                        key.toString(),
                        subresource.isEmpty() ? Optional.empty() : Optional.of(subresource),
                        Optional.of(written.uid()),
                        Optional.of(written.resourceVersion()),
                        JsonDifference.hash(json)),
                body);
    }

    private boolean existsStill(String subresource) throws InterruptedException {
        boolean exists =
                api.get(controller.primary(), key.namespace(), key.name()).isPresent();
        if (exists && !subresource.isEmpty()) {
            throw new IllegalStateException("the kind " + controller.primary().resource() + " has no subresource "
                    + subresource + ": declare it in its CRD, or write no status");
        }
        return exists;
    }

    private boolean reread(String uid) throws InterruptedException {
        Optional<byte[]> fresh = api.get(controller.primary(), key.namespace(), key.name());
        if (fresh.isEmpty()) {
            return false;
        }
        ObjectMetadata metadata = ObjectMetadata.of(fresh.get());
        replica.primary(new LocalObject(key.toString(), metadata.uid(), metadata.resourceVersion(), fresh.get()));
        return metadata.uid().equals(uid);
    }

    /** The status as far as the Java class knows it: what others keep there beside it is left alone. */
    private JsonNode modelledStatus() {
        T known = api.serialization()
                .unmarshal(new String(replica.primary().json(), StandardCharsets.UTF_8), controller.type());
        return tree(api.serialization().asJson(known)).path("status");
    }

    private static ObjectNode finalizersPatch(Collection<String> finalizers) {
        ObjectNode patch = Json.mapper().createObjectNode();
        finalizers.forEach(patch.putObject("metadata").putArray("finalizers")::add);
        return patch;
    }

    private static JsonNode tree(String json) {
        return Json.mapper().readTree(json);
    }

    /** What to change in a state of the primary; empty if nothing. */
    private interface Change {
        Optional<ObjectNode> of(ObjectMetadata metadata);
    }
}
