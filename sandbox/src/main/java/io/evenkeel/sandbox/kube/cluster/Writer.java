package io.evenkeel.sandbox.kube.cluster;

import io.evenkeel.sandbox.kube.api.ApiFailure;
import io.evenkeel.sandbox.kube.api.Patterns;
import io.evenkeel.sandbox.kube.api.Resource;
import io.evenkeel.sandbox.kube.api.Uid;
import io.evenkeel.sandbox.kube.json.Json;
import io.evenkeel.sandbox.kube.merge.Ownership;
import io.evenkeel.sandbox.kube.merge.Patches;
import io.evenkeel.sandbox.kube.merge.StrategicMerge;
import io.evenkeel.sandbox.kube.schema.Validator;
import io.evenkeel.sandbox.kube.schema.Violation;
import io.evenkeel.sandbox.kube.store.ObjectType;
import io.evenkeel.sandbox.kube.store.Store;
import io.evenkeel.sandbox.kube.store.Stored;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Creates and changes objects. Each method is one atomic write under the lock of the store. */
final class Writer {
    private static final String NAME_LETTERS = "bcdfghjklmnpqrstvwxz2456789";
    private static final int SUFFIX_LENGTH = 5;
    private static final int LONGEST_BASE = 58;
    private static final List<String> KEPT_METADATA =
            List.of("uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "generation");

    private static final Comparator<Ownership.Manager> BY_NAME = Comparator.comparing(Ownership.Manager::name)
            .thenComparing(Ownership.Manager::operation)
            .thenComparing(Ownership.Manager::apiVersion)
            .thenComparing(manager -> manager.subresource().isEmpty()) // of one name, those of subresources come first
            .thenComparing(Ownership.Manager::subresource);

    private final Store store;
    private final Clock clock;
    private final RandomGenerator random;
    private final Admission admission;

    Writer(Store store, Clock clock, RandomGenerator random, Admission admission) {
        this.store = store;
        this.clock = clock;
        this.random = random;
        this.admission = admission;
    }

    String now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    Optional<ObjectNode> find(Resource resource, String key) {
        return store.find(resource.storage(), key).map(stored -> Bodies.open(resource, stored));
    }

    Written create(Call call, byte[] body, String contentType) {
        List<String> warnings = new ArrayList<>();
        ObjectNode object = Decoder.object(
                call.resource(), body, contentType, call.options().fieldValidation(), warnings);
        return exclusively(warnings, () -> written(call, 201, Optional.empty(), create(call, object), warnings));
    }

    /** One atomic write; what is known about the body so far is told with a failure, too. */
    private Written exclusively(List<String> warnings, Supplier<Written> write) {
        try {
            return store.exclusively(write);
        } catch (ApiFailure failure) {
            throw failure.withWarnings(warnings);
        }
    }

    private Written written(Call call, int code, Optional<ObjectNode> live, ObjectNode object, List<String> warnings) {
        List<String> all = new ArrayList<>(warnings);
        all.addAll(admission.warnings(call.resource(), object, live));
        return new Written(code, object, all);
    }

    /** Creates a decoded object. */
    ObjectNode create(Call call, ObjectNode object) {
        Ownership.Manager manager = manager(call, "Update");
        if (!Json.text(object, "metadata", "resourceVersion").isEmpty()) {
            throw ApiFailure.internal("resourceVersion should not be set on objects to be created");
        }
        prepareNew(call, object);
        ownership(call).update(Optional.empty(), object, manager, now());
        return insert(call.named(Json.text(object, "metadata", "name")), object);
    }

    private void prepareNew(Call call, ObjectNode object) {
        Resource resource = call.resource();
        ObjectNode metadata = Json.metadata(object);
        admission.checkOpen(resource, Json.text(metadata, "name"));
        checkNamespace(call, metadata);
        String base = Json.text(metadata, "generateName");
        if (Json.text(metadata, "name").isEmpty() && !base.isEmpty()) {
            metadata.put("name", generatedName(call, base));
        }
        metadata.put("uid", Uid.from(random));
        metadata.put("creationTimestamp", now());
        metadata.remove(List.of("deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"));
        if (resource.traits().generation()) {
            metadata.put("generation", 1);
        }
        if (resource.hasStatus()) {
            object.remove("status");
            Decoder.complete(resource, object);
        }
        admission.prepareNew(resource, object);
    }

    private void checkNamespace(Call call, ObjectNode metadata) {
        if (!call.resource().namespaced()) {
            metadata.remove("namespace");
            return;
        }
        String given = Json.text(metadata, "namespace");
        if (!given.isEmpty() && !given.equals(call.namespace())) {
            throw ApiFailure.otherNamespace();
        }
        metadata.put("namespace", call.namespace());
        ObjectType namespaces = new ObjectType("", "namespaces");
        ObjectNode namespace = store.find(namespaces, call.namespace())
                .map(stored -> Json.parseObject(stored.body()))
                .orElseThrow(() -> ApiFailure.notFound(namespaces, call.namespace()));
        if (namespace.path("metadata").has("deletionTimestamp")) {
            throw ApiFailure.terminating(call.resource().type(), Json.text(metadata, "name"), call.namespace());
        }
    }

    private ObjectNode insert(Call call, ObjectNode object) {
        Resource resource = call.resource();
        admission.allocate(resource, Optional.empty(), object);
        List<Violation> violations = new ArrayList<>(Patterns.violations(resource, object));
        violations.addAll(admission.violations(resource, object, Optional.empty()));
        refuse(call, Json.text(object, "metadata", "name"), violations);
        find(resource, call.key()).ifPresent(present -> {
            throw ApiFailure.alreadyExists(
                    resource.type(), call.name(), present.path("metadata").has("deletionTimestamp"));
        });
        if (!call.options().dryRun()) {
            store.put(resource.storage(), call.key(), revision -> Bodies.close(resource, object, revision));
            admission.created(resource, object);
        }
        return object;
    }

    private static void refuse(Call call, String name, List<Violation> violations) {
        if (!violations.isEmpty()) {
            throw ApiFailure.invalid(call.resource(), name, violations);
        }
    }

    private String generatedName(Call call, String base) {
        String stem = base.length() > LONGEST_BASE ? base.substring(0, LONGEST_BASE) : base;
        String name;
        do {
            name = stem
                    + random.ints(SUFFIX_LENGTH, 0, NAME_LETTERS.length())
                            .mapToObj(i -> NAME_LETTERS.substring(i, i + 1))
                            .collect(Collectors.joining());
        } while (store.find(call.resource().storage(), call.named(name).key()).isPresent());
        return name;
    }

    Written update(Call call, byte[] body, String contentType) {
        List<String> warnings = new ArrayList<>();
        ObjectNode object = Decoder.object(
                call.resource(), body, contentType, call.options().fieldValidation(), warnings);
        String name = Json.text(object, "metadata", "name");
        if (!name.equals(call.name())) {
            throw name.isEmpty() ? ApiFailure.nameless(call.name()) : ApiFailure.otherName(name, call.name());
        }
        String namespace = Json.text(object, "metadata", "namespace");
        if (call.resource().namespaced() && !namespace.isEmpty() && !namespace.equals(call.namespace())) {
            throw ApiFailure.otherNamespace();
        }
        return exclusively(warnings, () -> {
            Optional<ObjectNode> live = find(call.resource(), call.key());
            if (live.isEmpty()) {
                if (!call.resource().traits().createOnUpdate()
                        || !call.subresource().isEmpty()) {
                    throw ApiFailure.notFound(call.resource().type(), call.name());
                }
                Json.metadata(object).remove("resourceVersion");
                return written(call, 201, live, create(call, object), warnings);
            }
            boolean unconditional =
                    Json.text(object, "metadata", "resourceVersion").isEmpty();
            if (unconditional && !call.resource().traits().unconditionalUpdate()) {
                throw ApiFailure.invalid(
                        call.resource().type().group(),
                        call.resource().type().plural(),
                        call.name(),
                        List.of(Violation.invalid("metadata.resourceVersion", "0", "must be specified for an update")));
            }
            return written(call, 200, live, replace(call, live.get(), object, manager(call, "Update")), warnings);
        });
    }

    /** Changes an object in place as a controller does; does nothing if it is gone. */
    Optional<ObjectNode> modify(Call call, UnaryOperator<ObjectNode> change) {
        return store.exclusively(() -> find(call.resource(), call.key()).map(live -> {
            ObjectNode changed = change.apply(live.deepCopy());
            Decoder.complete(call.resource(), changed);
            return replace(call, live, changed, manager(call, "Update"));
        }));
    }

    private ObjectNode replace(Call call, ObjectNode live, ObjectNode wanted, Ownership.Manager manager) {
        checkPreconditions(call, live, wanted);
        keepServerFields(call, live, wanted);
        admission.prepareUpdate(call, live, wanted);
        ownership(call).update(Optional.of(live), wanted, manager, now());
        if (call.subresource().equals("scale")) {
            disownZero(call.resource(), live, wanted);
        }
        return commit(call, live, wanted);
    }

    /** A Scale leaves out zero replicas, and what is not there has no owner. */
    private static void disownZero(Resource resource, ObjectNode live, ObjectNode wanted) {
        resource.traits().scale().map(paths -> paths.replicas().substring(1)).ifPresent(path -> {
            String[] steps = path.split("\\.", -1);
            if (Json.number(wanted, 0, steps) == 0 && Json.number(live, 0, steps) != 0) {
                Ownership.disown(wanted, path);
            }
        });
    }

    private static void checkPreconditions(Call call, ObjectNode live, ObjectNode wanted) {
        Resource resource = call.resource();
        String version = Json.text(wanted, "metadata", "resourceVersion");
        String uid = Json.text(wanted, "metadata", "uid");
        String liveUid = Json.text(live, "metadata", "uid");
        if (!uid.isEmpty() && !uid.equals(liveUid)) {
            String path =
                    resource.type().group().isEmpty() ? "" : resource.type().group() + "/";
            throw ApiFailure.conflict(
                    resource.type(),
                    call.name(),
                    "StorageError: invalid object, Code: 4, Key: /registry/" + path
                            + resource.type().plural() + "/" + call.key()
                            + ", ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: "
                            + uid + ", UID in object meta: " + liveUid);
        }
        if (!version.isEmpty() && !version.equals(Json.text(live, "metadata", "resourceVersion"))) {
            throw ApiFailure.modified(resource.type(), call.name());
        }
    }

    /** Puts back what this endpoint must not change. */
    private static void keepServerFields(Call call, ObjectNode live, ObjectNode wanted) {
        Resource resource = call.resource();
        if (call.isStatus()) {
            JsonNode status = wanted.get("status");
            JsonNode managed = wanted.path("metadata").get("managedFields");
            ObjectNode metadata = Json.metadata(wanted);
            ObjectNode kept = live.deepCopy();
            if (resource.builtIn()) {
                // Built-in kinds let annotations and finalizers through on this path, but neither labels nor the spec.
                copy(metadata, Json.metadata(kept), "annotations");
                copy(metadata, Json.metadata(kept), "finalizers");
                copy(metadata, Json.metadata(kept), "ownerReferences");
            }
            wanted.removeAll();
            wanted.setAll(kept);
            wanted.remove("status");
            if (status != null) {
                wanted.set("status", status);
            }
            if (managed != null) {
                Json.metadata(wanted).set("managedFields", managed);
            }
        } else if (resource.hasStatus()) {
            wanted.remove("status");
            if (live.has("status")) {
                wanted.set("status", live.get("status"));
            }
        }
        ObjectNode metadata = Json.metadata(wanted);
        ObjectNode before = Json.metadata(live);
        KEPT_METADATA.forEach(field -> copy(before, metadata, field));
        metadata.put("name", call.name());
        if (resource.namespaced()) {
            metadata.put("namespace", call.namespace());
        }
        metadata.put("resourceVersion", Json.text(before, "resourceVersion"));
    }

    private static void copy(ObjectNode from, ObjectNode to, String field) {
        JsonNode value = from.get(field);
        if (value == null) {
            to.remove(field);
        } else {
            to.set(field, value);
        }
    }

    private ObjectNode commit(Call call, ObjectNode live, ObjectNode wanted) {
        Resource resource = call.resource();
        admission.allocate(resource, Optional.of(live), wanted);
        if (resource.traits().generation() && specChanged(resource, live, wanted)) {
            Json.metadata(wanted).put("generation", Json.number(live, 0, "metadata", "generation") + 1);
        }
        List<Violation> violations = new ArrayList<>(Patterns.violations(resource, wanted));
        violations.addAll(newFinalizers(live, wanted));
        violations.addAll(admission.violations(resource, wanted, Optional.of(live)));
        refuse(call, call.name(), violations);
        if (Ownership.sameContent(live, wanted)) {
            return live;
        }
        boolean deleted = wanted.path("metadata").has("deletionTimestamp")
                && wanted.path("metadata").path("finalizers").isEmpty()
                && Json.number(wanted, 0, "metadata", "deletionGracePeriodSeconds") == 0
                && admission.mayVanish(resource, wanted);
        if (!call.options().dryRun()) {
            if (deleted) {
                // The last state is the one before this write, finalizers included, as a real server shows it.
                Stored last = store.find(resource.storage(), call.key()).orElseThrow();
                store.remove(resource.storage(), call.key(), revision -> Bodies.atRevision(last, revision));
                admission.deleted(resource, wanted);
            } else {
                store.put(resource.storage(), call.key(), revision -> Bodies.close(resource, wanted, revision));
                admission.updated(resource, wanted);
            }
        }
        return wanted;
    }

    private static boolean specChanged(Resource resource, ObjectNode before, ObjectNode after) {
        return !Json.same(countedPart(resource, before), countedPart(resource, after));
    }

    private static ObjectNode countedPart(Resource resource, ObjectNode object) {
        ObjectNode part = Json.object();
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            boolean status = field.getKey().equals("status") && (resource.hasStatus() || resource.builtIn());
            if (!field.getKey().equals("metadata") && !status) {
                part.set(field.getKey(), field.getValue());
            }
        }
        return part;
    }

    private static List<Violation> newFinalizers(ObjectNode live, ObjectNode wanted) {
        if (!live.path("metadata").has("deletionTimestamp")) {
            return List.of();
        }
        List<String> before = live.path("metadata")
                .path("finalizers")
                .valueStream()
                .map(Json::plain)
                .toList();
        List<String> added = wanted.path("metadata")
                .path("finalizers")
                .valueStream()
                .map(Json::plain)
                .filter(name -> !before.contains(name))
                .toList();
        if (added.isEmpty()) {
            return List.of();
        }
        String list = added.stream().map(name -> "\"" + name + "\"").collect(Collectors.joining(", "));
        return List.of(Violation.forbidden(
                "metadata.finalizers",
                "no new finalizers can be added if the object is being deleted, found new finalizers []string{" + list
                        + "}"));
    }

    /** How the changes of a patch are given. */
    enum PatchType {
        JSON,
        MERGE,
        STRATEGIC
    }

    Written patch(Call call, PatchType type, JsonNode patch) {
        List<String> warnings = new ArrayList<>();
        return exclusively(warnings, () -> {
            ObjectNode live = find(call.resource(), call.key())
                    .orElseThrow(() -> ApiFailure.notFound(call.resource().type(), call.name()));
            JsonNode patched = switch (type) {
                case JSON -> Patches.json(live, patch);
                case MERGE -> Patches.merge(live, patch);
                case STRATEGIC -> StrategicMerge.merge(call.resource().schema(), live, patch);
            };
            if (!(patched instanceof ObjectNode wanted)) {
                throw ApiFailure.unprocessable();
            }
            checkIdentity(call, live, wanted);
            String text = wanted.toString();
            Decoder.shape(
                    call.resource(),
                    wanted,
                    call.options().fieldValidation(),
                    List.of(),
                    warnings,
                    why -> ApiFailure.invalid(
                            "",
                            "",
                            "",
                            List.of(Violation.invalid("patch", Json.string(text).toString(), why))));
            return written(
                    call, 200, Optional.of(live), replace(call, live, wanted, manager(call, "Update")), warnings);
        });
    }

    private static void checkIdentity(Call call, ObjectNode live, ObjectNode wanted) {
        String name = Json.text(wanted, "metadata", "name");
        if (!name.equals(call.name())) {
            throw ApiFailure.otherName(name, call.name());
        }
        if (!Json.text(wanted, "kind").equals(Json.text(live, "kind"))
                || !Json.text(wanted, "apiVersion").equals(Json.text(live, "apiVersion"))) {
            throw ApiFailure.badRequest("a patch must not change apiVersion or kind");
        }
    }

    /** @param named the configuration's own namespace, a slash, and its own name, which may be empty */
    Written apply(Call call, ObjectNode config, String named) {
        Resource resource = call.resource();
        if (config.path("metadata").has("managedFields")
                && !config.path("metadata").path("managedFields").isEmpty()) {
            throw ApiFailure.badRequest("metadata.managedFields must be nil");
        }
        Optional<String> undeclared = ownership(call).undeclaredField(config);
        String mistake = undeclared
                .map(path -> path + ": field not declared in schema")
                .or(() -> AppliedTypes.mismatch(resource.schema(), config, ""))
                .orElse("");
        if (!mistake.isEmpty()) {
            throw ApiFailure.internal("failed to create typed patch object (" + named + "; " + resource.apiVersion()
                    + ", Kind=" + resource.kind() + "): " + mistake);
        }
        return store.exclusively(() -> {
            Optional<ObjectNode> live = find(resource, call.key());
            if (live.isEmpty() && !call.subresource().isEmpty()) {
                throw ApiFailure.notFound(resource.type(), call.name());
            }
            if (live.isEmpty() && named.endsWith("/")) {
                throw ApiFailure.nameless(call.name());
            }
            Ownership.Applied applied = ownership(call)
                    .apply(live, config, manager(call, "Apply"), call.options().force(), now());
            return switch (applied) {
                case Ownership.Applied.Conflicts conflicts -> throw applyConflict(call, conflicts);
                case Ownership.Applied.Merged merged ->
                    live.isPresent()
                            ? written(call, 200, live, commitApplied(call, live.get(), merged.object()), List.of())
                            : written(call, 201, live, createApplied(call, merged.object()), List.of());
            };
        });
    }

    private ObjectNode commitApplied(Call call, ObjectNode live, ObjectNode wanted) {
        Decoder.complete(call.resource(), wanted);
        dropNulls(wanted);
        checkPreconditions(call, live, wanted);
        keepServerFields(call, live, wanted);
        admission.prepareUpdate(call, live, wanted);
        return commit(call, live, wanted);
    }

    private ObjectNode createApplied(Call call, ObjectNode object) {
        Json.metadata(object).remove("resourceVersion");
        Decoder.complete(call.resource(), object);
        prepareNew(call, object);
        return insert(call, object);
    }

    /** Metadata is typed in every kind: what an apply emptied is gone, not null. */
    private static void dropNulls(ObjectNode object) {
        ObjectNode metadata = Json.metadata(object);
        List<String> empty = metadata.properties().stream()
                .filter(field -> field.getValue().isNull())
                .map(Map.Entry::getKey)
                .toList();
        metadata.remove(empty);
    }

    private static ApiFailure applyConflict(Call call, Ownership.Applied.Conflicts conflicts) {
        List<ApiFailure.OwnedField> owned = new ArrayList<>();
        conflicts.fields().entrySet().stream()
                .sorted(Map.Entry.comparingByKey(BY_NAME))
                .forEach(entry -> entry.getValue()
                        .forEach(field -> owned.add(new ApiFailure.OwnedField(shown(call, entry.getKey()), field))));
        return ApiFailure.applyConflict(owned);
    }

    private static String shown(Call call, Ownership.Manager manager) {
        String subresource =
                manager.subresource().isEmpty() ? "" : " with subresource \"" + manager.subresource() + "\"";
        String apiVersion = call.subresource().equals("scale") ? "autoscaling/v1" : manager.apiVersion();
        String version = manager.operation().equals("Update") ? " using " + apiVersion : "";
        return "\"" + manager.name() + "\"" + subresource + version;
    }

    private static Ownership ownership(Call call) {
        Resource resource = call.resource();
        List<String> reset = call.isStatus()
                ? resource.builtIn() ? List.of("spec", "metadata.labels") : List.of("spec", "metadata")
                : resource.hasStatus() ? List.of("status") : List.of();
        return new Ownership(resource.schema(), resource.builtIn(), reset);
    }

    private static Ownership.Manager manager(Call call, String operation) {
        return new Ownership.Manager(
                call.options().manager(), operation, call.resource().apiVersion(), call.subresource());
    }

    /** Checks a custom resource against its schema; built-in kinds have their own rules in {@link Admission}. */
    static List<Violation> schemaViolations(Resource resource, ObjectNode object) {
        ObjectNode checked = Json.object();
        checked.setAll(object);
        checked.set("metadata", Json.object()); // has rules of its own, the same for every kind
        List<Violation> violations = new ArrayList<>(Validator.validate(resource.schema(), checked));
        resource.traits().scale().map(Resource.ScalePaths::replicas).ifPresent(path -> {
            long replicas = Json.number(object, 0, path.substring(1).split("\\.", -1));
            if (replicas < 0) {
                violations.add(Violation.invalid(path, Long.toString(replicas), "should be a non-negative integer"));
            }
        });
        return violations;
    }
}
