package io.evenkeel.sandbox.kube.cluster;

import io.evenkeel.sandbox.kube.json.Json;
import io.evenkeel.sandbox.kube.store.Change;
import io.evenkeel.sandbox.kube.store.ObjectType;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** Simulated Job controller: runs pods until enough have succeeded. Used by the thread of the controllers only. */
final class Jobs implements Controllers.Controller {
    static final ObjectType TYPE = new ObjectType("batch", "jobs");

    private final Objects objects;

    Jobs(Objects objects) {
        this.objects = objects;
    }

    @Override
    public void onChange(Change change) {
        if (change.type().equals(TYPE)) {
            reconcile(change.after().key());
        } else if (change.type().equals(Children.PODS)) {
            Children.controllerKey(change, "Job").ifPresent(this::reconcile);
        }
    }

    private void reconcile(String key) {
        Optional<ObjectNode> found = objects.find(TYPE, key);
        if (found.isEmpty()
                || Children.isTerminating(found.get())
                || Json.truth(found.get(), "spec", "suspend")
                || Children.hasCondition(found.get(), "Complete")) {
            return;
        }
        ObjectNode job = found.get();
        List<ObjectNode> pods = Children.of(objects, Children.PODS, job);
        long succeeded = pods.stream()
                .filter(pod -> Json.text(pod, "status", "phase").equals("Succeeded"))
                .count();
        long completions = Json.number(job, 1, "spec", "completions");
        long parallelism = Json.number(job, 1, "spec", "parallelism");
        long active = pods.size() - succeeded;
        long missing = Math.min(parallelism, completions - succeeded) - active;
        for (long i = 0; i < missing; i++) {
            ObjectNode pod = Children.pod(job);
            Json.metadata(pod).put("generateName", Json.text(job, "metadata", "name") + "-");
            objects.create(Children.PODS, Children.MANAGER, pod);
            active++;
        }
        report(key, succeeded, active, succeeded >= completions);
    }

    private void report(String key, long succeeded, long active, boolean complete) {
        objects.modify(TYPE, key, "status", Children.MANAGER, changed -> {
            ObjectNode status = Json.child(changed, "status");
            if (!status.has("startTime")) {
                status.put("startTime", objects.now());
            }
            Children.count(status, "active", active);
            Children.count(status, "succeeded", succeeded);
            status.put("ready", 0).put("terminating", 0);
            status.set("uncountedTerminatedPods", Json.object());
            if (complete) {
                status.put("completionTime", objects.now());
                String message = "Reached expected number of succeeded pods";
                Children.condition(status, "SuccessCriteriaMet", true, "CompletionsReached", message, objects.now());
                Children.condition(status, "Complete", true, "CompletionsReached", message, objects.now());
            }
            return changed;
        });
    }
}
