package io.evenkeel.sandbox.kube.cluster;

import io.evenkeel.sandbox.kube.api.ApiFailure;
import io.evenkeel.sandbox.kube.api.Resource;
import io.evenkeel.sandbox.kube.json.Json;
import io.evenkeel.sandbox.kube.schema.Violation;
import io.evenkeel.sandbox.kube.store.ObjectType;
import io.evenkeel.sandbox.kube.store.Store;
import io.evenkeel.sandbox.kube.store.Stored;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Deletes objects, at once or by marking them for their finalizers. */
final class Deleter {
    private static final Set<String> IMMORTAL = Set.of("default", "kube-system", "kube-public");

    static final String FOREGROUND = "foregroundDeletion";
    static final String ORPHAN = "orphan";
    private static final ObjectType PODS = new ObjectType("", "pods");
    private static final ObjectType NAMESPACES = new ObjectType("", "namespaces");

    private final Store store;
    private final Writer writer;
    private final Admission admission;

    Deleter(Store store, Writer writer, Admission admission) {
        this.store = store;
        this.writer = writer;
        this.admission = admission;
    }

    /**
     * What a deletion demands and how it goes on.
     *
     * @param policy {@code Background}, {@code Foreground}, {@code Orphan} or empty
     */
    record Demand(String policy, Optional<Long> gracePeriod, String uid, String resourceVersion) {
        static Demand of(JsonNode options) {
            String policy = Json.text(options, "propagationPolicy");
            if (Json.truth(options, "orphanDependents")) {
                policy = "Orphan";
            }
            if (!List.of("", "Background", "Foreground", "Orphan").contains(policy)) {
                throw ApiFailure.invalid(
                        "meta.k8s.io",
                        "DeleteOptions",
                        "",
                        List.of(new Violation(
                                "FieldValueNotSupported",
                                "propagationPolicy",
                                "Unsupported value: \"" + policy
                                        + "\": supported values: \"Background\", \"Foreground\", \"Orphan\","
                                        + " \"nil\"")));
            }
            return new Demand(
                    policy,
                    Json.at(options, "gracePeriodSeconds").map(JsonNode::longValue),
                    Json.text(options, "preconditions", "uid"),
                    Json.text(options, "preconditions", "resourceVersion"));
        }

        static Demand background() {
            return new Demand("Background", Optional.empty(), "", "");
        }
    }

    /** What became of an object: still there under deletion, or gone. */
    record Outcome(ObjectNode object, boolean gone) {}

    Outcome delete(Call call, Demand demand) {
        if (call.resource().type().equals(NAMESPACES) && IMMORTAL.contains(call.name())) {
            throw ApiFailure.forbidden(NAMESPACES, call.name(), "this namespace may not be deleted");
        }
        return store.exclusively(() -> {
            Resource resource = call.resource();
            ObjectNode live = writer.find(resource, call.key())
                    .orElseThrow(() -> ApiFailure.notFound(resource.type(), call.name()));
            checkPreconditions(call, demand, live);
            ObjectNode marked = live.deepCopy();
            setFinalizers(marked, policy(resource, demand, live));
            long grace = gracePeriod(resource, live, demand);
            boolean held = !marked.path("metadata").path("finalizers").isEmpty()
                    || grace > 0
                    || !admission.mayVanish(resource, marked);
            if (!held) {
                if (!call.options().dryRun()) {
                    remove(resource, call.key(), live);
                }
                return new Outcome(live, true);
            }
            boolean first = !live.path("metadata").has("deletionTimestamp");
            if (first) {
                mark(resource, marked, grace);
            } else if (grace < Json.number(live, 0, "metadata", "deletionGracePeriodSeconds")) {
                Json.metadata(marked).put("deletionGracePeriodSeconds", grace);
            }
            if (Json.same(marked, live)) {
                return new Outcome(live, false);
            }
            if (!call.options().dryRun()) {
                store.put(resource.storage(), call.key(), revision -> Bodies.close(resource, marked, revision));
                admission.updated(resource, marked);
            }
            return new Outcome(marked, false);
        });
    }

    private void remove(Resource resource, String key, ObjectNode live) {
        Stored last = store.find(resource.storage(), key).orElseThrow();
        store.remove(resource.storage(), key, revision -> Bodies.atRevision(last, revision));
        admission.deleted(resource, live);
    }

    private static void checkPreconditions(Call call, Demand demand, ObjectNode live) {
        String uid = Json.text(live, "metadata", "uid");
        if (!demand.uid().isEmpty() && !demand.uid().equals(uid)) {
            throw ApiFailure.precondition(
                    call.resource(),
                    call.name(),
                    "the UID in the precondition (" + demand.uid() + ") does not match the UID in record (" + uid
                            + "). The object might have been deleted and then recreated");
        }
        String version = Json.text(live, "metadata", "resourceVersion");
        if (!demand.resourceVersion().isEmpty() && !demand.resourceVersion().equals(version)) {
            throw ApiFailure.precondition(
                    call.resource(),
                    call.name(),
                    "the ResourceVersion in the precondition (" + demand.resourceVersion()
                            + ") does not match the ResourceVersion in record (" + version
                            + "). The object might have been modified");
        }
    }

    private static String policy(Resource resource, Demand demand, ObjectNode live) {
        boolean chosen = !demand.policy().isEmpty()
                || live.path("metadata")
                        .path("finalizers")
                        .valueStream()
                        .anyMatch(finalizer -> Json.plain(finalizer).equals(FOREGROUND));
        return resource.traits().orphanByDefault() && !chosen ? "Orphan" : demand.policy();
    }

    private static void setFinalizers(ObjectNode object, String policy) {
        ObjectNode metadata = Json.metadata(object);
        List<String> finalizers = new ArrayList<>(
                metadata.path("finalizers").valueStream().map(Json::plain).toList());
        if (!policy.isEmpty()) {
            finalizers.removeAll(List.of(FOREGROUND, ORPHAN));
            switch (policy) {
                case "Foreground" -> finalizers.add(FOREGROUND);
                case "Orphan" -> finalizers.add(ORPHAN);
                default -> {}
            }
        }
        ArrayNode array = Json.array();
        finalizers.forEach(array::add);
        metadata.remove("finalizers");
        if (!array.isEmpty()) {
            metadata.set("finalizers", array);
        }
    }

    /** Only pods that run somewhere are given time; everything else goes at once. */
    private static long gracePeriod(Resource resource, ObjectNode object, Demand demand) {
        if (!resource.type().equals(PODS)) {
            return 0;
        }
        String phase = Json.text(object, "status", "phase");
        if (Json.text(object, "spec", "nodeName").isEmpty() || phase.equals("Succeeded") || phase.equals("Failed")) {
            return 0;
        }
        return demand.gracePeriod().orElse(Json.number(object, 30, "spec", "terminationGracePeriodSeconds"));
    }

    private void mark(Resource resource, ObjectNode object, long grace) {
        ObjectNode metadata = Json.metadata(object);
        if (resource.type().equals(NAMESPACES)) {
            metadata.put("deletionTimestamp", writer.now());
            Json.child(object, "status").put("phase", "Terminating");
            return;
        }
        metadata.put(
                "deletionTimestamp",
                java.time.Instant.parse(writer.now()).plusSeconds(grace).toString());
        metadata.put("deletionGracePeriodSeconds", grace);
        if (resource.traits().generation()) {
            metadata.put("generation", Json.number(metadata, 0, "generation") + 1);
        }
    }
}
