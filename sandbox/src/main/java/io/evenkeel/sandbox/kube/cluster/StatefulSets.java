package io.evenkeel.sandbox.kube.cluster;

import io.evenkeel.sandbox.kube.json.Json;
import io.evenkeel.sandbox.kube.store.Change;
import io.evenkeel.sandbox.kube.store.ObjectType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * Simulated StatefulSet controller: pods with ordinals, one after the other unless they may start in parallel, the
 * highest going first. Used by the thread of the controllers only.
 */
final class StatefulSets implements Controllers.Controller {
    static final ObjectType TYPE = new ObjectType("apps", "statefulsets");
    private static final String REVISION = "controller-revision-hash";

    private final Objects objects;

    StatefulSets(Objects objects) {
        this.objects = objects;
    }

    @Override
    public void onChange(Change change) {
        if (change.type().equals(TYPE)) {
            reconcile(change.after().key());
        } else if (change.type().equals(Children.PODS)) {
            Children.controllerKey(change, "StatefulSet").ifPresent(this::reconcile);
        }
    }

    private void reconcile(String key) {
        Optional<ObjectNode> found = objects.find(TYPE, key);
        if (found.isEmpty() || Children.isTerminating(found.get())) {
            return;
        }
        ObjectNode set = found.get();
        long wanted = Json.number(set, 1, "spec", "replicas");
        String revision = Json.text(set, "metadata", "name") + "-"
                + Children.hash(set.path("spec").path("template"));
        boolean parallel = Json.text(set, "spec", "podManagementPolicy").equals("Parallel");
        List<ObjectNode> pods = new ArrayList<>(Children.of(objects, Children.PODS, set));
        if (pods.stream().noneMatch(Children::isTerminating)) {
            removeOne(pods, wanted, revision);
            addMissing(set, pods, wanted, revision, parallel);
        }
        report(key, pods, revision);
    }

    /** Removes the highest pod that is too many, or one of an old revision. */
    private void removeOne(List<ObjectNode> pods, long wanted, String revision) {
        for (int i = pods.size() - 1; i >= 0; i--) {
            ObjectNode pod = pods.get(i);
            boolean outdated = !Json.text(pod, "metadata", "labels", REVISION).equals(revision);
            if (ordinal(pod) >= wanted || outdated) {
                objects.delete(Children.PODS, Objects.key(pod), Deleter.Demand.background());
                pods.remove(i);
                return;
            }
        }
    }

    private void addMissing(ObjectNode set, List<ObjectNode> pods, long wanted, String revision, boolean parallel) {
        for (long ordinal = 0; ordinal < wanted; ordinal++) {
            String name = Json.text(set, "metadata", "name") + "-" + ordinal;
            String key = Json.text(set, "metadata", "namespace") + "/" + name;
            Optional<ObjectNode> present = objects.find(Children.PODS, key);
            if (present.isEmpty()) {
                ObjectNode pod = Children.pod(set);
                ObjectNode metadata = Json.metadata(pod).put("name", name);
                Json.child(metadata, "labels")
                        .put(REVISION, revision)
                        .put("statefulset.kubernetes.io/pod-name", name)
                        .put("apps.kubernetes.io/pod-index", Long.toString(ordinal));
                Json.child(pod, "spec").put("hostname", name).put("subdomain", Json.text(set, "spec", "serviceName"));
                pods.add(objects.create(Children.PODS, Children.MANAGER, pod));
            }
            boolean ready =
                    present.map(pod -> Children.hasCondition(pod, "Ready")).orElse(false);
            if (!ready && !parallel) {
                return; // the next pod waits for this one
            }
        }
    }

    private static long ordinal(ObjectNode pod) {
        String name = Json.text(pod, "metadata", "name");
        return Long.parseLong(name.substring(name.lastIndexOf('-') + 1));
    }

    private void report(String key, List<ObjectNode> pods, String revision) {
        long ready =
                pods.stream().filter(pod -> Children.hasCondition(pod, "Ready")).count();
        objects.modify(TYPE, key, "status", Children.MANAGER, changed -> {
            ObjectNode status = Json.child(changed, "status");
            status.put("observedGeneration", Json.number(changed, 0, "metadata", "generation"));
            status.put("replicas", pods.size());
            status.put("collisionCount", 0);
            status.put("availableReplicas", ready);
            Children.count(status, "readyReplicas", ready);
            Children.count(status, "currentReplicas", pods.size());
            Children.count(status, "updatedReplicas", pods.size());
            status.put("currentRevision", revision).put("updateRevision", revision);
            return changed;
        });
    }
}
