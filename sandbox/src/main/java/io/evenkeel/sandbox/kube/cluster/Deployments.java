package io.evenkeel.sandbox.kube.cluster;

import io.evenkeel.sandbox.kube.json.Json;
import io.evenkeel.sandbox.kube.store.Change;
import io.evenkeel.sandbox.kube.store.ObjectType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * Simulated Deployment controller: one ReplicaSet per pod template. A new template is scaled up at once and the old
 * ones go when it is ready. Used by the thread of the controllers only.
 */
final class Deployments implements Controllers.Controller {
    static final ObjectType TYPE = new ObjectType("apps", "deployments");
    private static final String REVISION = "deployment.kubernetes.io/revision";
    private static final String HASH = "pod-template-hash";

    private final Objects objects;

    Deployments(Objects objects) {
        this.objects = objects;
    }

    @Override
    public void onChange(Change change) {
        if (change.type().equals(TYPE)) {
            reconcile(change.after().key());
        } else if (change.type().equals(ReplicaSets.TYPE)) {
            Children.controllerKey(change, "Deployment").ifPresent(this::reconcile);
        }
    }

    private void reconcile(String key) {
        Optional<ObjectNode> found = objects.find(TYPE, key);
        if (found.isEmpty() || Children.isTerminating(found.get())) {
            return;
        }
        ObjectNode deployment = found.get();
        List<ObjectNode> sets = new ArrayList<>(Children.of(objects, ReplicaSets.TYPE, deployment));
        sets.removeIf(Children::isTerminating);
        long wanted = Json.number(deployment, 1, "spec", "replicas");
        String hash = Children.hash(deployment.path("spec").path("template"));
        Optional<ObjectNode> current = sets.stream()
                .filter(set -> Json.text(set, "metadata", "labels", HASH).equals(hash))
                .findFirst();
        if (current.isEmpty()) {
            if (!Json.truth(deployment, "spec", "paused")) {
                create(deployment, hash, wanted, revision(sets) + 1);
            }
            return; // the new ReplicaSet brings us back
        }
        boolean ready = Json.number(current.get(), 0, "status", "readyReplicas") >= wanted;
        scale(current.get(), wanted);
        for (ObjectNode set : sets) {
            if (ready && !Objects.key(set).equals(Objects.key(current.get()))) {
                scale(set, 0);
            }
        }
        report(key, sets, current.get(), wanted);
    }

    private static long revision(List<ObjectNode> sets) {
        return sets.stream()
                .mapToLong(set -> Long.parseLong("0" + Json.text(set, "metadata", "annotations", REVISION)))
                .max()
                .orElse(0);
    }

    private void create(ObjectNode deployment, String hash, long replicas, long revision) {
        ObjectNode set = Children.ownedBy(deployment);
        ObjectNode metadata = Json.metadata(set);
        metadata.put("name", Json.text(deployment, "metadata", "name") + "-" + hash);
        Json.child(metadata, "annotations").put(REVISION, Long.toString(revision));
        ObjectNode spec = Json.child(set, "spec");
        spec.put("replicas", replicas);
        spec.set("selector", deployment.path("spec").path("selector").deepCopy());
        spec.set("template", deployment.path("spec").path("template").deepCopy());
        Json.child(Json.child(spec, "selector"), "matchLabels").put(HASH, hash);
        ObjectNode labels = Json.child(Json.metadata(Json.child(spec, "template")), "labels");
        labels.put(HASH, hash);
        metadata.set("labels", labels.deepCopy());
        objects.create(ReplicaSets.TYPE, Children.MANAGER, set);
        objects.modify(TYPE, Objects.key(deployment), "", Children.MANAGER, changed -> {
            Json.child(Json.metadata(changed), "annotations").put(REVISION, Long.toString(revision));
            return changed;
        });
    }

    private void scale(ObjectNode set, long replicas) {
        if (Json.number(set, 1, "spec", "replicas") != replicas) {
            objects.modify(ReplicaSets.TYPE, Objects.key(set), "", Children.MANAGER, changed -> {
                Json.child(changed, "spec").put("replicas", replicas);
                return changed;
            });
        }
    }

    private void report(String key, List<ObjectNode> sets, ObjectNode current, long wanted) {
        long total = sum(sets, "replicas");
        long ready = sum(sets, "readyReplicas");
        long available = sum(sets, "availableReplicas");
        long updated = Json.number(current, 0, "status", "replicas");
        objects.modify(TYPE, key, "status", Children.MANAGER, changed -> {
            ObjectNode status = Json.child(changed, "status");
            status.put("observedGeneration", Json.number(changed, 0, "metadata", "generation"));
            Children.count(status, "replicas", total);
            Children.count(status, "updatedReplicas", updated);
            Children.count(status, "readyReplicas", ready);
            Children.count(status, "availableReplicas", available);
            Children.count(status, "unavailableReplicas", Math.max(0, Math.max(total, wanted) - available));
            String name = Json.text(current, "metadata", "name");
            boolean enough = available >= wanted;
            Children.condition(
                    status,
                    "Available",
                    enough,
                    enough ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable",
                    enough ? "Deployment has minimum availability." : "Deployment does not have minimum availability.",
                    objects.now());
            boolean complete = enough && updated == wanted && total == wanted;
            Children.condition(
                    status,
                    "Progressing",
                    true,
                    complete ? "NewReplicaSetAvailable" : "ReplicaSetUpdated",
                    "ReplicaSet \"" + name + "\" " + (complete ? "has successfully progressed." : "is progressing."),
                    objects.now());
            return changed;
        });
    }

    private static long sum(List<ObjectNode> sets, String field) {
        return sets.stream()
                .mapToLong(set -> Json.number(set, 0, "status", field))
                .sum();
    }
}
