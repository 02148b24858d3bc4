package io.evenkeel.sandbox.kube.api;

import io.evenkeel.sandbox.kube.json.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** A label selector together with a field selector. Immutable. */
public final class Selector {
    private static final Pattern FIELD = Pattern.compile("([^=!,]+?)(==|!=|=)((?:[^,\\\\]|\\\\.)*)(?:,|$)");

    private final List<Requirement> labels;
    private final List<Requirement> fields;

    private Selector(List<Requirement> labels, List<Requirement> fields) {
        this.labels = labels;
        this.fields = fields;
    }

    /** @throws ApiFailure 400 if either selector cannot be parsed or names a field that cannot be selected */
    public static Selector parse(String labelSelector, String fieldSelector, Resource resource) {
        return new Selector(LabelSelectorParser.parse(labelSelector), parseFields(fieldSelector, resource));
    }

    /** The selector {@code matchLabels} and {@code matchExpressions} of an object's spec. */
    public static Selector of(JsonNode labelSelector) {
        List<Requirement> requirements = new ArrayList<>();
        labelSelector
                .path("matchLabels")
                .properties()
                .forEach(label ->
                        requirements.add(new Requirement(label.getKey(), "=", List.of(Json.plain(label.getValue())))));
        for (JsonNode expression : labelSelector.path("matchExpressions")) {
            String operator = switch (Json.text(expression, "operator")) {
                case "In" -> "=";
                case "NotIn" -> "!=";
                case "Exists" -> "exists";
                default -> "absent";
            };
            requirements.add(new Requirement(
                    Json.text(expression, "key"),
                    operator,
                    expression.path("values").valueStream().map(Json::plain).toList()));
        }
        return new Selector(requirements, List.of());
    }

    private static List<Requirement> parseFields(String text, Resource resource) {
        List<Requirement> requirements = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            Matcher field = FIELD.matcher(text).region(at, text.length());
            if (!field.lookingAt()) {
                throw ApiFailure.badRequest("invalid selector: '" + text.substring(at) + "'; can't understand '"
                        + text.substring(at) + "'");
            }
            String name = field.group(1).trim();
            if (!name.equals("metadata.name")
                    && !name.equals("metadata.namespace")
                    && !resource.traits().selectableFields().contains(name)) {
                throw ApiFailure.badRequest(
                        resource.traits().selectableFields().isEmpty() && resource.builtIn()
                                ? "\"" + name + "\" is not a known field selector: only \"metadata.name\", "
                                        + "\"metadata.namespace\""
                                : "field label not supported: " + name);
            }
            String operator = field.group(2).equals("!=") ? "!=" : "=";
            requirements.add(
                    new Requirement(name, operator, List.of(field.group(3).replace("\\", ""))));
            at = field.end();
        }
        return requirements;
    }

    public boolean matchesAll() {
        return labels.isEmpty() && fields.isEmpty();
    }

    public boolean matches(JsonNode object) {
        JsonNode present = object.path("metadata").path("labels");
        for (Requirement requirement : labels) {
            if (!requirement.holds(Json.at(present, requirement.key()).map(Json::plain))) {
                return false;
            }
        }
        for (Requirement requirement : fields) {
            String[] path = requirement.key().split("\\.", -1);
            if (!requirement.holds(Optional.of(Json.text(object, path)))) {
                return false;
            }
        }
        return true;
    }

    /** The selector in its written form, as the status of a Scale holds it. */
    public String toText() {
        List<String> parts = new ArrayList<>();
        for (Requirement requirement :
                labels.stream().sorted(Comparator.comparing(Requirement::key)).toList()) {
            parts.add(
                    switch (requirement.operator()) {
                        case "=" ->
                            requirement.values().size() == 1
                                    ? requirement.key() + "="
                                            + requirement.values().getFirst()
                                    : requirement.key() + " in (" + String.join(",", requirement.values()) + ")";
                        case "!=" -> requirement.key() + " notin (" + String.join(",", requirement.values()) + ")";
                        case "exists" -> requirement.key();
                        default -> "!" + requirement.key();
                    });
        }
        return String.join(",", parts);
    }
}
