package io.evenkeel.sandbox.kube.cluster;

import io.evenkeel.sandbox.kube.json.Json;
import io.evenkeel.sandbox.kube.store.Change;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Simulated scheduler and node: a pod gets a node, runs after a delay, completes if it belongs to a Job, and goes when
 * it is deleted. Used by the thread of the controllers only.
 */
final class Pods implements Controllers.Controller {
    /** A pod with this annotation set to "true" runs and never becomes ready. */
    static final String NEVER_READY = "evenkeel.io/never-ready";

    static final String NODE = "kubesim-node";
    private static final String KUBELET = "kubelet";

    private final Objects objects;
    private final Controllers controllers;
    private final Duration delay;
    private int addresses;

    Pods(Objects objects, Controllers controllers, Duration delay) {
        this.objects = objects;
        this.controllers = controllers;
        this.delay = delay;
    }

    @Override
    public void onChange(Change change) {
        if (!change.type().equals(Children.PODS) || change.kind() == Change.Kind.DELETED) {
            return;
        }
        String key = change.after().key();
        Optional<ObjectNode> found = objects.find(Children.PODS, key);
        if (found.isEmpty()) {
            return;
        }
        ObjectNode pod = found.get();
        if (Children.isTerminating(pod)) {
            objects.delete(
                    Children.PODS, key, new Deleter.Demand("", Optional.of(0L), Json.text(pod, "metadata", "uid"), ""));
        } else if (Json.text(pod, "spec", "nodeName").isEmpty()) {
            objects.modify(Children.PODS, key, "", "kube-scheduler", changed -> {
                Json.child(changed, "spec").put("nodeName", NODE);
                return changed;
            });
        } else if (Json.text(pod, "status", "phase").equals("Pending")) {
            String uid = Json.text(pod, "metadata", "uid");
            if (delay.isZero()) {
                run(key, uid);
            } else {
                controllers.schedule(delay, () -> run(key, uid));
            }
        } else if (Json.text(pod, "status", "phase").equals("Running") && belongsToJob(pod)) {
            complete(key);
        }
    }

    private static boolean belongsToJob(JsonNode pod) {
        return Children.controller(pod)
                .filter(owner -> Json.text(owner, "kind").equals("Job"))
                .isPresent();
    }

    private void run(String key, String uid) {
        objects.modify(Children.PODS, key, "status", KUBELET, changed -> {
            boolean same = Json.text(changed, "metadata", "uid").equals(uid);
            if (!same || !Json.text(changed, "status", "phase").equals("Pending")) {
                return changed;
            }
            boolean ready =
                    !Json.text(changed, "metadata", "annotations", NEVER_READY).equals("true");
            String now = objects.now();
            ObjectNode status = Json.child(changed, "status");
            int address = ++addresses;
            String ip = "10.244." + ((address >> 8) & 255) + "." + (address & 255);
            status.put("phase", "Running")
                    .put("startTime", now)
                    .put("hostIP", "10.0.0.1")
                    .put("podIP", ip);
            status.set("hostIPs", Json.array().add(Json.object().put("ip", "10.0.0.1")));
            status.set("podIPs", Json.array().add(Json.object().put("ip", ip)));
            ArrayNode conditions = Json.array();
            conditions.add(condition("PodScheduled", true, now));
            conditions.add(condition("Initialized", true, now));
            conditions.add(condition("ContainersReady", ready, now));
            conditions.add(condition("Ready", ready, now));
            status.set("conditions", conditions);
            status.set("containerStatuses", containers(changed, ready, now));
            return changed;
        });
    }

    private static ObjectNode condition(String type, boolean holds, String now) {
        return Json.object()
                .put("type", type)
                .put("status", holds ? "True" : "False")
                .put("lastTransitionTime", now);
    }

    private static ArrayNode containers(ObjectNode pod, boolean ready, String now) {
        ArrayNode statuses = Json.array();
        for (JsonNode container : pod.path("spec").path("containers")) {
            ObjectNode status = Json.object()
                    .put("name", Json.text(container, "name"))
                    .put("image", Json.text(container, "image"))
                    .put("imageID", "")
                    .put("ready", ready)
                    .put("started", true)
                    .put("restartCount", 0);
            ObjectNode state = Json.object();
            state.set("running", Json.object().put("startedAt", now));
            status.set("state", state);
            statuses.add(status);
        }
        return statuses;
    }

    private void complete(String key) {
        objects.modify(Children.PODS, key, "status", KUBELET, changed -> {
            ObjectNode status = Json.child(changed, "status");
            status.put("phase", "Succeeded");
            for (String type : new String[] {"Ready", "ContainersReady"}) {
                for (JsonNode condition : status.path("conditions")) {
                    if (Json.text(condition, "type").equals(type) && condition instanceof ObjectNode entry) {
                        entry.put("status", "False").put("reason", "PodCompleted");
                    }
                }
            }
            for (JsonNode container : status.path("containerStatuses")) {
                if (container instanceof ObjectNode entry) {
                    ObjectNode terminated = Json.object().put("exitCode", 0).put("reason", "Completed");
                    terminated.put("finishedAt", objects.now());
                    ObjectNode state = Json.object();
                    state.set("terminated", terminated);
                    entry.set("state", state);
                    entry.put("ready", false);
                }
            }
            return changed;
        });
    }
}
