package io.evenkeel.sandbox.kube.schema;

import io.evenkeel.sandbox.kube.json.Json;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One node of a structural OpenAPI schema, with what Kubernetes adds to it. Immutable to its users; children are
 * resolved when they are first asked for, because schemas refer to themselves. Thread-safe.
 */
public final class Schema {
    /** How the items of a list belong together when two writers change it. */
    public enum ListType {
        ATOMIC,
        SET,
        MAP
    }

    /** What the limits of a value are, as far as they are declared. */
    public record Limits(
            Optional<BigDecimal> minimum,
            boolean exclusiveMinimum,
            Optional<BigDecimal> maximum,
            boolean exclusiveMaximum,
            Optional<BigDecimal> multipleOf,
            long minLength,
            long maxLength,
            long minItems,
            long maxItems,
            long minProperties,
            long maxProperties,
            boolean uniqueItems,
            Optional<Pattern> pattern,
            List<JsonNode> enumeration,
            String format) {
        static Limits of(JsonNode raw) {
            return new Limits(
                    decimal(raw, "minimum"),
                    Json.truth(raw, "exclusiveMinimum"),
                    decimal(raw, "maximum"),
                    Json.truth(raw, "exclusiveMaximum"),
                    decimal(raw, "multipleOf"),
                    Json.number(raw, 0, "minLength"),
                    Json.number(raw, Long.MAX_VALUE, "maxLength"),
                    Json.number(raw, 0, "minItems"),
                    Json.number(raw, Long.MAX_VALUE, "maxItems"),
                    Json.number(raw, 0, "minProperties"),
                    Json.number(raw, Long.MAX_VALUE, "maxProperties"),
                    Json.truth(raw, "uniqueItems"),
                    pattern(Json.text(raw, "pattern")),
                    raw.path("enum").valueStream().toList(),
                    Json.text(raw, "format"));
        }

        private static Optional<BigDecimal> decimal(JsonNode raw, String name) {
            return Json.at(raw, name).map(JsonNode::decimalValue);
        }

        private static Optional<Pattern> pattern(String expression) {
            try {
                return expression.isEmpty() ? Optional.empty() : Optional.of(Pattern.compile(expression));
            } catch (PatternSyntaxException e) {
                return Optional.empty(); // an expression that only RE2 knows: such a value is let through
            }
        }
    }

    private static final String QUANTITY = "io.k8s.apimachinery.pkg.api.resource.Quantity";

    private final Definitions definitions;
    private final String name;
    private final ObjectNode raw;
    private final String type;
    private final Limits limits;
    private volatile Map<String, Schema> properties = Map.of();
    private volatile boolean propertiesResolved;
    private volatile Optional<Schema> items = Optional.empty();
    private volatile Optional<Schema> additional = Optional.empty();

    Schema(Definitions definitions, String name, ObjectNode raw) {
        this.definitions = definitions;
        this.name = name;
        this.raw = raw;
        String declared = Json.text(raw, "type");
        this.type = declared.isEmpty() && raw.has("properties") ? "object" : declared;
        this.limits = Limits.of(raw);
    }

    /** The name under which the schema is published; empty for an unnamed one. */
    public String name() {
        return name;
    }

    /** The declared JSON type: object, array, string, integer, number, boolean; empty if any value may stand here. */
    public String type() {
        return type;
    }

    public Limits limits() {
        return limits;
    }

    public boolean isIntOrString() {
        return Json.truth(raw, "x-kubernetes-int-or-string") || limits.format().equals("int-or-string");
    }

    boolean isQuantity() {
        return name.equals(QUANTITY);
    }

    public boolean isNullable() {
        return Json.truth(raw, "nullable");
    }

    public boolean isEmbeddedResource() {
        return Json.truth(raw, "x-kubernetes-embedded-resource");
    }

    /** True where fields that the schema does not name are kept. */
    public boolean keepsUnknown() {
        return Json.truth(raw, "x-kubernetes-preserve-unknown-fields")
                || (properties().isEmpty()
                        && additional().isEmpty()
                        && definitions.isOpenEnded()
                        && (type.isEmpty() || type.equals("object")));
    }

    /** True for an object or value whose inner structure is not described at all. */
    public boolean isUntyped() {
        return !isIntOrString()
                && (type.isEmpty() || type.equals("object"))
                && properties().isEmpty()
                && additional().isEmpty()
                && !raw.has("oneOf");
    }

    public boolean isMap() {
        return type.equals("object") && properties().isEmpty() && additional().isPresent();
    }

    public boolean isObject() {
        return type.equals("object");
    }

    public boolean isArray() {
        return type.equals("array");
    }

    public ListType listType() {
        return switch (Json.text(raw, "x-kubernetes-list-type")) {
            case "set" -> ListType.SET;
            case "map" -> ListType.MAP;
            default -> ListType.ATOMIC;
        };
    }

    public List<String> listKeys() {
        return strings("x-kubernetes-list-map-keys");
    }

    public boolean isAtomicMap() {
        return Json.text(raw, "x-kubernetes-map-type").equals("atomic") || Json.truth(raw, "x-evenkeel-atomic");
    }

    public List<String> required() {
        return strings("required");
    }

    public Optional<JsonNode> defaultValue() {
        return Optional.ofNullable(raw.get("default"));
    }

    /** Key by which a strategic merge patch joins the items of this list; empty if the list is replaced. */
    public Optional<String> patchMergeKey() {
        return patchStrategies().contains("merge")
                ? Optional.of(Json.text(raw, "x-kubernetes-patch-merge-key"))
                : Optional.empty();
    }

    /** The strategies of a strategic merge patch for this field: any of merge, retainKeys, replace. */
    public List<String> patchStrategies() {
        String declared = Json.text(raw, "x-kubernetes-patch-strategy");
        return declared.isEmpty() ? List.of() : List.of(declared.split(",", -1));
    }

    /** Conditional defaults of built-in kinds, by field; see {@code defaults.json}. */
    public JsonNode rules() {
        return raw.path("x-evenkeel-defaults");
    }

    public Map<String, Schema> properties() {
        if (!propertiesResolved) {
            Map<String, Schema> resolved = new LinkedHashMap<>();
            raw.path("properties").properties().forEach(p -> resolved.put(p.getKey(), definitions.of(p.getValue())));
            properties = resolved;
            propertiesResolved = true;
        }
        return properties;
    }

    public Optional<Schema> property(String name) {
        return Optional.ofNullable(properties().get(name));
    }

    /** The schema of map values, if this is a map. */
    public Optional<Schema> additional() {
        if (additional.isEmpty()) {
            JsonNode declared = raw.path("additionalProperties");
            if (declared.isObject()) {
                additional = Optional.of(definitions.of(declared));
            } else if (declared.isBoolean() && declared.booleanValue()) {
                additional = Optional.of(definitions.anything());
            }
        }
        return additional;
    }

    /** The schema of list items; anything goes where none is declared. */
    public Schema items() {
        if (items.isEmpty()) {
            items = Optional.of(raw.has("items") ? definitions.of(raw.get("items")) : definitions.anything());
        }
        return items.get();
    }

    /** The schema of a child: a property, else a map value, else anything. */
    public Schema child(String name) {
        return property(name).or(this::additional).orElseGet(definitions::anything);
    }

    /** The schemas under one of allOf, anyOf, oneOf. */
    public List<Schema> alternatives(String keyword) {
        List<Schema> found = new ArrayList<>();
        raw.path(keyword).forEach(node -> found.add(definitions.of(node)));
        return found;
    }

    public Optional<Schema> not() {
        return Json.at(raw, "not").map(definitions::of);
    }

    public boolean hasValidationRules() {
        return raw.has("x-kubernetes-validations");
    }

    private List<String> strings(String name) {
        return raw.path(name).valueStream().map(Json::plain).toList();
    }
}
