package io.evenkeel.worker.attempt;

import io.evenkeel.api.ObjectKey;
import io.evenkeel.api.json.Json;
import io.evenkeel.api.record.Write;
import io.evenkeel.reconciler.ConflictPolicy;
import io.evenkeel.reconciler.Context;
import io.evenkeel.reconciler.Controller;
import io.evenkeel.reconciler.EventType;
import io.evenkeel.reconciler.Link;
import io.evenkeel.reconciler.ResourceType;
import io.evenkeel.reconciler.Secondary;
import io.evenkeel.reconciler.WriteRefusedException;
import io.evenkeel.worker.object.ObjectMetadata;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The {@link Context} of one attempt: reads the replica, writes through the gate, and keeps account of it. */
final class AttemptContext<T extends HasMetadata> implements Context<T> {
    /** Fields that the API server sets; an apply must not claim them. */
    private static final List<String> SERVER_FIELDS = List.of(
            "managedFields",
            "resourceVersion",
            "uid",
            "creationTimestamp",
            "generation",
            "selfLink",
            "deletionTimestamp",
            "deletionGracePeriodSeconds");

    private static final Logger log = LoggerFactory.getLogger(AttemptContext.class);

    private final Controller<T> controller;
    private final KubernetesApi api;
    private final WriteGate gate;
    private final Replica replica;
    private final Writes writes;
    private final ObjectKey primaryKey;
    private final T primary;
    private final int attempt;
    private final Clock clock;

    AttemptContext(
            Controller<T> controller,
            KubernetesApi api,
            WriteGate gate,
            Replica replica,
            Writes writes,
            ObjectKey primaryKey,
            T primary,
            int attempt,
            Clock clock) {
        this.controller = controller;
        this.api = api;
        this.gate = gate;
        this.replica = replica;
        this.writes = writes;
        this.primaryKey = primaryKey;
        this.primary = primary;
        this.attempt = attempt;
        this.clock = clock;
    }

    @Override
    public T primary() {
        return primary;
    }

    @Override
    public <R extends HasMetadata> R apply(R desired) {
        return apply(desired, ConflictPolicy.FORCE);
    }

    @Override
    public <R extends HasMetadata> R apply(R desired, ConflictPolicy policy) {
        ResourceType type = typeOf(desired);
        ObjectKey key = keyOf(type, desired);
        ObjectNode intent = intent(desired, key.namespace());
        String json = intent.toString();
        String hash = JsonDifference.hash(json);
        Optional<LocalObject> before = replica.lastApplied(key.toString(), hash);
        if (before.isPresent() && JsonDifference.shows(tree(before.get().json()), intent)) {
            return decode(before.get().json(), desired);
        }
        passGate();
        byte[] answer = uninterrupted(() -> api.apply(
                type, key.namespace(), key.name(), json, controller.fieldManager(), policy == ConflictPolicy.FORCE));
        replica.applied(wrote("apply", key, answer, hash), hash);
        return decode(answer, desired);
    }

    @Override
    public <R extends HasMetadata> R create(R object) {
        ResourceType type = typeOf(object);
        String namespace = namespaceOf(type, object);
        ObjectNode intent = intent(object, namespace);
        intent.put("apiVersion", type.apiVersion()).put("kind", type.kind());
        String json = intent.toString();
        passGate();
        byte[] answer = uninterrupted(() -> api.create(type, namespace, json, controller.fieldManager()));
        R created = decode(answer, object);
        keep(wrote("create", keyOf(type, created), answer, JsonDifference.hash(json)));
        return created;
    }

    @Override
    public <R extends HasMetadata> R update(R object) {
        if (object.getMetadata().getResourceVersion() == null) {
            throw new IllegalArgumentException("an update needs the object as it was read, with its resourceVersion");
        }
        ResourceType type = typeOf(object);
        ObjectKey key = keyOf(type, object);
        JsonNode wanted = tree(api.serialization().asJson(object));
        Optional<byte[]> before = asItWasRead(type, key, object);
        Optional<ObjectNode> change =
                before.map(known -> JsonDifference.mergePatch(tree(modelled(known, object)), wanted)
                        .orElseGet(Json.mapper()::createObjectNode));
        if (change.isPresent() && change.get().isEmpty()) {
            return object;
        }
        // What the Java class does not know stays as it is: it was never shown to the handler, so it cannot have
        // removed it.
        String json = before.map(known -> JsonDifference.patched(tree(known), change.orElseThrow()))
                .orElse(wanted)
                .toString();
        passGate();
        byte[] answer =
                uninterrupted(() -> api.update(type, key.namespace(), key.name(), json, controller.fieldManager()));
        keep(wrote("update", key, answer, JsonDifference.hash(json)));
        return decode(answer, object);
    }

    /** The object at the version that the handler has, in full; empty if it has changed, which the server will say. */
    private Optional<byte[]> asItWasRead(ResourceType type, ObjectKey key, HasMetadata object) {
        String version = object.getMetadata().getResourceVersion();
        Optional<byte[]> near = local(key)
                .filter(known -> known.resourceVersion().equals(version))
                .map(LocalObject::json);
        return near.isPresent()
                ? near
                : uninterrupted(() -> api.get(type, key.namespace(), key.name()))
                        .filter(current ->
                                ObjectMetadata.of(current).resourceVersion().equals(version));
    }

    /** As far as the Java class knows it. */
    private String modelled(byte[] json, HasMetadata like) {
        return api.serialization().asJson(decode(json, like));
    }

    @Override
    public <R extends HasMetadata> R patch(R object, String mergePatch) {
        JsonNode patch = parsed(mergePatch);
        ResourceType type = typeOf(object);
        ObjectKey key = keyOf(type, object);
        Optional<LocalObject> before = local(key);
        if (before.isPresent() && JsonDifference.isPatched(tree(before.get().json()), patch)) {
            return decode(before.get().json(), object);
        }
        passGate();
        byte[] answer = uninterrupted(
                () -> api.merge(type, key.namespace(), key.name(), "", patch.toString(), controller.fieldManager()));
        keep(wrote("patch", key, answer, JsonDifference.hash(patch.toString())));
        return decode(answer, object);
    }

    private static JsonNode parsed(String mergePatch) {
        try {
            JsonNode patch = Json.mapper().readTree(mergePatch);
            if (patch.isObject()) {
                return patch;
            }
        } catch (JacksonException e) {
            throw new IllegalArgumentException("a merge patch must be a JSON object but is: " + mergePatch, e);
        }
        throw new IllegalArgumentException("a merge patch must be a JSON object but is: " + mergePatch);
    }

    @Override
    public void event(EventType type, String reason, String note) {
        passGate();
        var events = new PrimaryEvents(
                api,
                controller.name(),
                controller.primary(),
                primaryKey,
                primary.getMetadata().getUid());
        try {
            writes.add(events.tell(type, reason, note, clock.instant()));
        } catch (KubernetesClientException e) {
            log.atWarn()
                    .addKeyValue("key", primaryKey)
                    .addKeyValue("reason", reason)
                    .addKeyValue("cause", String.valueOf(e.getMessage()))
                    .log("no Kubernetes Event was written");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Accounts for a write. */
    private LocalObject wrote(String verb, ObjectKey key, byte[] answer, String hash) {
        ObjectMetadata metadata = ObjectMetadata.of(answer);
        var written = new LocalObject(key.toString(), metadata.uid(), metadata.resourceVersion(), answer);
        writes.add(
                new Write(
                        verb,
                        key.toString(),
                        Optional.empty(),
                        Optional.of(metadata.uid()),
                        Optional.of(metadata.resourceVersion()),
                        hash),
                written);
        return written;
    }

    /** From now on local reads show it. */
    private void keep(LocalObject written) {
        if (written.key().equals(primaryKey.toString())) {
            replica.primary(written);
        } else {
            replica.put(written);
        }
    }

    private Optional<LocalObject> local(ObjectKey key) {
        return key.equals(primaryKey) ? Optional.of(replica.primary()) : replica.find(key.toString());
    }

    @Override
    public boolean deleteUnchanged(HasMetadata object) {
        return delete(object, Optional.ofNullable(object.getMetadata().getResourceVersion()));
    }

    @Override
    public boolean delete(HasMetadata object) {
        return delete(object, Optional.empty());
    }

    private boolean delete(HasMetadata object, Optional<String> resourceVersion) {
        ResourceType type = typeOf(object);
        ObjectKey key = keyOf(type, object);
        ObjectNode options = Json.mapper().createObjectNode();
        options.put("apiVersion", "v1").put("kind", "DeleteOptions").put("propagationPolicy", "Background");
        Optional<String> uid = Optional.ofNullable(object.getMetadata().getUid());
        uid.ifPresent(life -> options.withObjectProperty("preconditions").put("uid", life));
        resourceVersion.ifPresent(
                version -> options.withObjectProperty("preconditions").put("resourceVersion", version));
        passGate();
        Optional<byte[]> answer =
                uninterrupted(() -> api.delete(type, key.namespace(), key.name(), options.toString()));
        String hash = JsonDifference.hash(options.toString());
        if (answer.isPresent() && isStillThere(answer.get(), key)) {
            keep(wrote("delete", key, answer.get(), hash));
            return true;
        }
        replica.remove(key.toString());
        if (answer.isPresent()) {
            writes.add(new Write("delete", key.toString(), Optional.empty(), uid, Optional.empty(), hash));
        }
        return answer.isPresent();
    }

    /** What finalizers or a grace period keep is answered itself; what is gone at once, by a Status or its last state. */
    private static boolean isStillThere(byte[] answer, ObjectKey key) {
        return !tree(answer).path("kind").asString("").equals("Status")
                && ObjectMetadata.of(answer).deleting()
                && key.name().equals(tree(answer).path("metadata").path("name").asString(""));
    }

    @Override
    public <R extends HasMetadata> List<R> secondaries(Class<R> type) {
        return secondaries(type, ResourceType.of(type));
    }

    @Override
    public List<GenericKubernetesResource> secondaries(ResourceType type) {
        return secondaries(GenericKubernetesResource.class, type);
    }

    private <R extends HasMetadata> List<R> secondaries(Class<R> type, ResourceType resource) {
        List<Secondary<T, ?>> links = controller.secondaries(resource.group(), resource.kind());
        if (links.isEmpty()) {
            throw new IllegalArgumentException("controller " + controller.name() + " does not see "
                    + resource.resource() + ": add owning(" + resource.kind() + ") or watching(…)");
        }
        // The child of a former life of the primary may still be there, on its way to be collected.
        boolean ownedOnly = links.stream().allMatch(link -> link.link() instanceof Link.Owner);
        Optional<String> life = ownedOnly ? Optional.of(primary.getMetadata().getUid()) : Optional.empty();
        return replica.of(resource, life).stream()
                .map(local -> decode(local.json(), type))
                .toList();
    }

    @Override
    public <R extends HasMetadata> Optional<R> secondary(Class<R> type) {
        List<R> all = secondaries(type);
        if (all.size() > 1) {
            throw new IllegalStateException(
                    primaryKey + " has " + all.size() + " objects of kind " + type.getSimpleName() + ": ask by name");
        }
        return all.stream().findFirst();
    }

    @Override
    public <R extends HasMetadata> Optional<R> secondary(Class<R> type, String name) {
        return secondaries(type).stream()
                .filter(secondary -> name.equals(secondary.getMetadata().getName()))
                .findFirst();
    }

    @Override
    public <R extends HasMetadata> Optional<R> read(Class<R> type, String namespace, String name) {
        return uninterrupted(() -> api.get(ResourceType.of(type), namespace, name))
                .map(json -> decode(json, type));
    }

    @Override
    public Optional<GenericKubernetesResource> read(ResourceType type, String namespace, String name) {
        return uninterrupted(() -> api.get(type, namespace, name))
                .map(json -> decode(json, GenericKubernetesResource.class));
    }

    @Override
    public String cluster() {
        return primaryKey.cluster();
    }

    @Override
    public int attempt() {
        return attempt;
    }

    @Override
    public Instant now() {
        return clock.instant();
    }

    /** The handler may swallow the refusal; the engine must not take its work for done then. */
    private void passGate() {
        try {
            gate.check();
        } catch (WriteRefusedException e) {
            writes.refuse();
            throw e;
        }
    }

    /** A generic object does not say how its kind is served: the controller may know. */
    private ResourceType typeOf(HasMetadata object) {
        ResourceType said = ResourceType.ofObject(object);
        if (!(object instanceof GenericKubernetesResource)) {
            return said;
        }
        return Stream.concat(
                        Stream.of(controller.primary()),
                        controller.secondaries().stream().map(Secondary::resource))
                .filter(known -> known.apiVersion().equals(said.apiVersion())
                        && known.kind().equals(said.kind()))
                .findFirst()
                .orElse(said);
    }

    private ObjectKey keyOf(ResourceType type, HasMetadata object) {
        return new ObjectKey(
                primaryKey.cluster(),
                type.group(),
                type.kind(),
                namespaceOf(type, object),
                object.getMetadata().getName());
    }

    private String namespaceOf(ResourceType type, HasMetadata object) {
        String namespace = object.getMetadata().getNamespace();
        return !type.namespaced() ? "" : namespace == null ? primaryKey.namespace() : namespace;
    }

    private ObjectNode intent(HasMetadata desired, String namespace) {
        var intent = (ObjectNode) tree(api.serialization().asJson(desired).getBytes(StandardCharsets.UTF_8));
        intent.remove("status");
        ObjectNode metadata = intent.withObjectProperty("metadata");
        metadata.remove(SERVER_FIELDS);
        if (!namespace.isEmpty()) {
            metadata.put("namespace", namespace);
        }
        // Kubernetes collects a child of an owner in another namespace at once, so there is no such reference.
        if (primaryKey.namespace().isEmpty() || primaryKey.namespace().equals(namespace)) {
            addOwner(metadata.withArrayProperty("ownerReferences"));
        }
        return intent;
    }

    private void addOwner(ArrayNode owners) {
        String uid = primary.getMetadata().getUid();
        for (JsonNode owner : owners) {
            if (owner.path("uid").asString("").equals(uid)) {
                return;
            }
        }
        owners.addObject()
                .put("apiVersion", controller.primary().apiVersion())
                .put("kind", controller.primary().kind())
                .put("name", primaryKey.name())
                .put("uid", uid)
                .put("controller", true)
                .put("blockOwnerDeletion", true);
    }

    @SuppressWarnings("unchecked") // the answer is of the kind that was sent
    private <R extends HasMetadata> R decode(byte[] json, R like) {
        return (R) decode(json, like.getClass());
    }

    private <R> R decode(byte[] json, Class<R> type) {
        return api.serialization().unmarshal(new String(json, StandardCharsets.UTF_8), type);
    }

    private static JsonNode tree(byte[] json) {
        return Json.mapper().readTree(json);
    }

    private static JsonNode tree(String json) {
        return Json.mapper().readTree(json);
    }

    /** Handlers are not asked to declare InterruptedException for every write: the interrupt is kept for the engine. */
    private static <R> R uninterrupted(Request<R> request) {
        try {
            return request.send();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KubernetesClientException("interrupted while waiting for the API server", e);
        }
    }

    /** One request to the API server. */
    private interface Request<R> {
        R send() throws InterruptedException;
    }
}
