package io.evenkeel.sandbox.kube.cluster;

import io.evenkeel.sandbox.kube.json.Json;
import io.evenkeel.sandbox.kube.store.Change;
import io.evenkeel.sandbox.kube.store.ObjectType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** Simulated ReplicaSet controller: as many pods as wanted. Used by the thread of the controllers only. */
final class ReplicaSets implements Controllers.Controller {
    static final ObjectType TYPE = new ObjectType("apps", "replicasets");

    private final Objects objects;

    ReplicaSets(Objects objects) {
        this.objects = objects;
    }

    @Override
    public void onChange(Change change) {
        if (change.type().equals(TYPE)) {
            reconcile(change.after().key());
        } else if (change.type().equals(Children.PODS)) {
            Children.controllerKey(change, "ReplicaSet").ifPresent(this::reconcile);
        }
    }

    private void reconcile(String key) {
        Optional<ObjectNode> found = objects.find(TYPE, key);
        if (found.isEmpty() || Children.isTerminating(found.get())) {
            return;
        }
        ObjectNode set = found.get();
        List<ObjectNode> pods = new ArrayList<>(Children.of(objects, Children.PODS, set));
        pods.removeIf(Children::isTerminating);
        long wanted = Json.number(set, 1, "spec", "replicas");
        for (long missing = wanted - pods.size(); missing > 0; missing--) {
            ObjectNode pod = Children.pod(set);
            Json.metadata(pod).put("generateName", Json.text(set, "metadata", "name") + "-");
            pods.add(objects.create(Children.PODS, Children.MANAGER, pod));
        }
        pods.sort(Comparator.comparing(pod -> !Children.hasCondition(pod, "Ready")));
        while (pods.size() > wanted) {
            objects.delete(Children.PODS, Objects.key(pods.removeLast()), Deleter.Demand.background());
        }
        report(key, pods);
    }

    private void report(String key, List<ObjectNode> pods) {
        long ready =
                pods.stream().filter(pod -> Children.hasCondition(pod, "Ready")).count();
        objects.modify(TYPE, key, "status", Children.MANAGER, changed -> {
            ObjectNode status = Json.child(changed, "status");
            status.put("replicas", pods.size());
            status.put("observedGeneration", Json.number(changed, 0, "metadata", "generation"));
            Children.count(status, "fullyLabeledReplicas", pods.size());
            Children.count(status, "readyReplicas", ready);
            Children.count(status, "availableReplicas", ready);
            return changed;
        });
    }
}
