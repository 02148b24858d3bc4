package io.evenkeel.sandbox.kube.merge;

import io.evenkeel.sandbox.kube.json.Json;
import io.evenkeel.sandbox.kube.schema.Schema;
import io.evenkeel.sandbox.kube.schema.Shaper;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Who owns which fields of one kind of object: computes {@code metadata.managedFields} for each write and carries out
 * server-side apply. Immutable; safe for concurrent use.
 */
public final class Ownership {
    /** Fields that no manager owns, because the server writes them. */
    private static final FieldSet SERVER_FIELDS = FieldSet.of(
            "apiVersion",
            "kind",
            "metadata",
            "metadata.name",
            "metadata.namespace",
            "metadata.creationTimestamp",
            "metadata.selfLink",
            "metadata.uid",
            "metadata.clusterName",
            "metadata.generation",
            "metadata.managedFields",
            "metadata.resourceVersion");

    private static final Set<String> OPERATIONS = Set.of("Apply", "Update");
    private static final int UPDATE_MANAGERS_KEPT = 10;
    private static final String ROLLED_UP = "ancient-changes";

    /**
     * A writer of fields.
     *
     * @param operation {@code Apply} or {@code Update}
     * @param subresource empty for the object itself
     */
    public record Manager(String name, String operation, String apiVersion, String subresource) {}

    /** Outcome of a server-side apply: the object to store, or the conflicts that forbid it. */
    public sealed interface Applied {
        /** The merged object, with its managedFields. */
        record Merged(ObjectNode object) implements Applied {}

        /** Fields that other managers own with another value, by manager. */
        record Conflicts(Map<Manager, List<String>> fields) implements Applied {}
    }

    private record Claim(FieldSet fields, String time) {}

    private final Schema schema;
    private final boolean builtIn;
    private final FieldSet ignored;

    /**
     * @param builtIn whether objects are decoded into a Go type whose embedded structs always exist
     * @param resetFields dotted paths that a write through this endpoint cannot change, for example {@code status}
     */
    public Ownership(Schema schema, boolean builtIn, List<String> resetFields) {
        this.schema = schema;
        this.builtIn = builtIn;
        this.ignored = FieldSet.of(resetFields.toArray(String[]::new));
    }

    /** Sets the managedFields of {@code written} after a create, an update or a patch by {@code manager}. */
    public void update(Optional<ObjectNode> live, ObjectNode written, Manager manager, String now) {
        Map<Manager, Claim> claims = claimsFor(live, written, manager);
        if (live.isPresent() && claims.isEmpty()) {
            Json.metadata(written).remove("managedFields"); // once nobody owns anything, only an apply begins anew
            return;
        }
        Typed.Comparison change = compare(live, written);
        FieldSet taken = change.present();
        Map<Manager, Claim> others = new LinkedHashMap<>();
        claims.forEach((owner, claim) -> {
            FieldSet rest = claim.fields().minus(change.removed());
            others.put(owner, new Claim(owner.equals(manager) ? rest : rest.minus(taken), claim.time()));
        });
        FieldSet own = taken.minusRecursively(ignored).minus(SERVER_FIELDS);
        if (!own.isEmpty()) {
            FieldSet before = others.containsKey(manager) ? others.get(manager).fields() : FieldSet.empty();
            others.put(manager, new Claim(before.union(own), timeOf(manager, now)));
        }
        write(written, others);
    }

    /** What comes by way of a Scale is kept without a time. */
    private static String timeOf(Manager manager, String now) {
        return manager.subresource().equals("scale") ? "" : now;
    }

    /** Takes a field from everyone. */
    public static void disown(ObjectNode object, String dottedPath) {
        FieldSet field = FieldSet.of(dottedPath);
        Map<Manager, Claim> claims = new LinkedHashMap<>();
        read(object)
                .forEach((owner, claim) ->
                        claims.put(owner, new Claim(claim.fields().minus(field), claim.time())));
        write(object, claims);
    }

    /**
     * A writer of an object may hand over claims by writing them, or drop all by a list of one empty entry; one who leaves
     * them out, or writes nonsense, does not know them, and they stay.
     */
    private static Map<Manager, Claim> claimsFor(Optional<ObjectNode> live, ObjectNode written, Manager writer) {
        JsonNode given = written.path("metadata").path("managedFields");
        boolean known = writer.subresource().isEmpty()
                && !given.isEmpty()
                && given.valueStream().allMatch(entry -> entry.isEmpty() || isWellFormed(entry));
        if (!known) {
            return live.map(Ownership::read).orElseGet(LinkedHashMap::new);
        }
        return given.size() == 1 && given.get(0).isEmpty() ? new LinkedHashMap<>() : read(written);
    }

    private static boolean isWellFormed(JsonNode entry) {
        return OPERATIONS.contains(Json.text(entry, "operation"))
                && Json.text(entry, "fieldsType").equals("FieldsV1")
                && entry.path("fieldsV1").isObject();
    }

    private Typed.Comparison compare(Optional<ObjectNode> live, ObjectNode written) {
        JsonNode before =
                live.<JsonNode>map(object -> object).orElseGet(() -> builtIn ? Shaper.zero(schema) : Json.object());
        return Typed.compare(schema, withoutManagedFields(before), withoutManagedFields(written));
    }

    /** Carries out a server-side apply of {@code config} by a manager with operation {@code Apply}. */
    public Applied apply(Optional<ObjectNode> live, ObjectNode config, Manager manager, boolean force, String now) {
        ObjectNode present = live.orElseGet(() -> {
            ObjectNode empty = builtIn ? Shaper.zero(schema) : Json.object();
            empty.set("apiVersion", config.path("apiVersion"));
            empty.set("kind", config.path("kind"));
            return empty;
        });
        Map<Manager, Claim> claims = live.map(Ownership::read).orElseGet(LinkedHashMap::new);
        if (live.isPresent() && claims.isEmpty()) {
            FieldSet all = compare(Optional.empty(), present).present().minus(SERVER_FIELDS);
            claims.put(
                    new Manager("before-first-apply", "Update", manager.apiVersion(), manager.subresource()),
                    new Claim(all.minusRecursively(ignored), now));
        }
        JsonNode bare = withoutManagedFields(present);
        JsonNode merged = Typed.merge(schema, bare, config);
        Optional<Claim> last = Optional.ofNullable(claims.get(manager));
        FieldSet wanted = Typed.fields(schema, config).minusRecursively(ignored).minus(SERVER_FIELDS);
        claims.put(manager, new Claim(wanted, timeOf(manager, now)));
        if (last.isPresent() && !last.get().fields().isEmpty()) {
            merged = prune(merged, claims, last.get().fields());
        }
        ObjectNode result = merged instanceof ObjectNode object ? object : Json.object();

        Typed.Comparison change = Typed.compare(schema, bare, result).minusRecursively(ignored);
        FieldSet changed = change.present();
        Map<Manager, List<String>> conflicts = new LinkedHashMap<>();
        Map<Manager, Claim> remaining = new LinkedHashMap<>();
        claims.forEach((owner, claim) -> {
            if (owner.equals(manager)) {
                remaining.put(owner, claim);
                return;
            }
            FieldSet disputed = claim.fields().intersection(changed);
            if (!disputed.isEmpty()) {
                conflicts.put(owner, disputed.paths());
            }
            remaining.put(owner, new Claim(claim.fields().minus(disputed).minus(change.removed()), claim.time()));
        });
        if (!conflicts.isEmpty() && !force) {
            return new Applied.Conflicts(conflicts);
        }
        if (last.isPresent()
                && last.get().fields().toJson().equals(wanted.toJson())
                && change.added().isEmpty()
                && change.modified().isEmpty()
                && change.removed().isEmpty()) {
            remaining.put(manager, new Claim(wanted, last.get().time())); // an apply without effect leaves no trace
        }
        write(result, remaining);
        return new Applied.Merged(result);
    }

    /** Removes what the manager applied last time, does not apply now, and nobody else owns. */
    private JsonNode prune(JsonNode merged, Map<Manager, Claim> claims, FieldSet lastApplied) {
        FieldSet last = Typed.withNamedFields(schema, lastApplied);
        JsonNode pruned = Typed.remove(schema, merged, last);
        FieldSet mergedFields = Typed.withNamedFields(schema, Typed.fields(schema, merged));
        FieldSet owned = FieldSet.empty();
        for (Claim claim : claims.values()) {
            owned = owned.union(claim.fields());
        }
        FieldSet kept = fieldsOf(pruned).union(Typed.withNamedFields(schema, owned));
        pruned = Typed.remove(schema, merged, mergedFields.minus(kept));
        FieldSet dangling = mergedFields.minus(fieldsOf(pruned)).intersection(last);
        return Typed.remove(schema, merged, dangling);
    }

    private FieldSet fieldsOf(JsonNode value) {
        return value.isNull() ? FieldSet.empty() : Typed.withNamedFields(schema, Typed.fields(schema, value));
    }

    /** Names the first field of an applied configuration that the kind does not have. */
    public Optional<String> undeclaredField(ObjectNode config) {
        return Typed.undeclared(schema, config, "");
    }

    private static JsonNode withoutManagedFields(JsonNode object) {
        if (!object.path("metadata").has("managedFields")) {
            return object;
        }
        ObjectNode copy = Json.object();
        object.properties().forEach(field -> copy.set(field.getKey(), field.getValue()));
        ObjectNode metadata = Json.object();
        object.path("metadata").properties().stream()
                .filter(field -> !field.getKey().equals("managedFields"))
                .forEach(field -> metadata.set(field.getKey(), field.getValue()));
        copy.set("metadata", metadata);
        return copy;
    }

    private static Map<Manager, Claim> read(ObjectNode object) {
        Map<Manager, Claim> claims = new LinkedHashMap<>();
        for (JsonNode entry : object.path("metadata").path("managedFields")) {
            Manager manager = new Manager(
                    Json.text(entry, "manager"),
                    Json.text(entry, "operation"),
                    Json.text(entry, "apiVersion"),
                    Json.text(entry, "subresource"));
            claims.put(manager, new Claim(FieldSet.fromJson(entry.path("fieldsV1")), Json.text(entry, "time")));
        }
        return claims;
    }

    private static void write(ObjectNode object, Map<Manager, Claim> claims) {
        ArrayNode entries = Json.array();
        ordered(rolledUp(claims)).forEach(entry -> {
            Manager manager = entry.getKey();
            ObjectNode json = Json.object();
            json.put("manager", manager.name());
            json.put("operation", manager.operation());
            json.put("apiVersion", manager.apiVersion());
            if (!entry.getValue().time().isEmpty()) {
                json.put("time", entry.getValue().time());
            }
            json.put("fieldsType", "FieldsV1");
            json.set("fieldsV1", entry.getValue().fields().toJson());
            if (!manager.subresource().isEmpty()) {
                json.put("subresource", manager.subresource());
            }
            entries.add(json);
        });
        ObjectNode metadata = Json.metadata(object);
        metadata.remove("managedFields");
        if (!entries.isEmpty()) {
            metadata.set("managedFields", entries);
        }
    }

    private static List<Map.Entry<Manager, Claim>> ordered(Map<Manager, Claim> claims) {
        List<Map.Entry<Manager, Claim>> entries = new ArrayList<>(claims.entrySet());
        entries.removeIf(entry -> entry.getValue().fields().isEmpty());
        entries.sort(
                Comparator.comparing((Map.Entry<Manager, Claim> e) -> e.getKey().operation())
                        .thenComparing(e -> e.getValue().time())
                        .thenComparing(e -> e.getKey().name())
                        .thenComparing(e -> e.getKey().apiVersion())
                        .thenComparing(e -> e.getKey().subresource()));
        return entries;
    }

    /** Keeps the number of updaters bounded: the oldest become one entry per version. */
    private static Map<Manager, Claim> rolledUp(Map<Manager, Claim> claims) {
        List<Map.Entry<Manager, Claim>> updates = ordered(claims).stream()
                .filter(entry -> entry.getKey().operation().equals("Update"))
                .toList();
        if (updates.size() <= UPDATE_MANAGERS_KEPT) {
            return claims;
        }
        Map<Manager, Claim> result = new LinkedHashMap<>(claims);
        Map<String, Claim> ancient = new TreeMap<>();
        for (Map.Entry<Manager, Claim> old : updates.subList(0, updates.size() - UPDATE_MANAGERS_KEPT + 1)) {
            result.remove(old.getKey());
            ancient.merge(
                    old.getKey().apiVersion(),
                    old.getValue(),
                    (a, b) -> new Claim(a.fields().union(b.fields()), b.time()));
        }
        ancient.forEach((version, claim) -> result.put(new Manager(ROLLED_UP, "Update", version, ""), claim));
        return result;
    }

    /** True if two objects differ in nothing but the times in their managedFields and the resourceVersion. */
    public static boolean sameContent(ObjectNode left, ObjectNode right) {
        return Json.same(timeless(left), timeless(right));
    }

    private static JsonNode timeless(ObjectNode object) {
        ObjectNode copy = object.deepCopy();
        ObjectNode metadata = Json.metadata(copy);
        metadata.remove("resourceVersion");
        metadata.path("managedFields").forEach(entry -> {
            if (entry instanceof ObjectNode fields) {
                fields.set("time", NullNode.getInstance());
            }
        });
        return copy;
    }
}
