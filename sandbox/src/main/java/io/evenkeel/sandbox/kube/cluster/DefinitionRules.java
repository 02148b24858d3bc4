package io.evenkeel.sandbox.kube.cluster;

import io.evenkeel.sandbox.kube.json.Json;
import io.evenkeel.sandbox.kube.schema.StructuralRules;
import io.evenkeel.sandbox.kube.schema.Violation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What a CustomResourceDefinition must fulfil beyond its own schema. Stateless. */
final class DefinitionRules {
    private static final Pattern LABEL = Pattern.compile("[a-z]([-a-z0-9]*[a-z0-9])?");
    private static final String LABEL_RULE =
            "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic"
                    + " character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used"
                    + " for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
    private static final Set<String> COLUMN_TYPES = Set.of("boolean", "date", "integer", "number", "string");
    private static final String APPROVAL = "api-approved.kubernetes.io";

    private DefinitionRules() {}

    static List<Violation> violations(ObjectNode definition, Optional<ObjectNode> live) {
        List<Violation> found = new ArrayList<>();
        JsonNode spec = definition.path("spec");
        String expected = Json.text(spec, "names", "plural") + "." + Json.text(spec, "group");
        String name = Json.text(definition, "metadata", "name");
        if (!name.equals(expected)) {
            found.add(Violation.invalid(
                    "metadata.name", "\"" + name + "\"", "must be spec.names.plural+\".\"+spec.group"));
        }
        group(definition, found);
        names(spec.path("names"), found);
        String scope = Json.text(spec, "scope");
        if (!scope.isEmpty() && !scope.equals("Cluster") && !scope.equals("Namespaced")) {
            found.add(new Violation(
                    "FieldValueNotSupported",
                    "spec.scope",
                    "Unsupported value: \"" + scope + "\": supported values: \"Cluster\", \"Namespaced\""));
        }
        if (Json.truth(spec, "preserveUnknownFields")) {
            found.add(Violation.invalid(
                    "spec.preserveUnknownFields",
                    "true",
                    "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema"
                            + " instead"));
        }
        versions(spec.path("versions"), found);
        live.ifPresent(before -> changes(before, definition, found));
        return found;
    }

    private static void group(ObjectNode definition, List<Violation> found) {
        String group = Json.text(definition, "spec", "group");
        boolean protectedGroup = group.endsWith(".k8s.io") || group.endsWith(".kubernetes.io");
        if (protectedGroup && !definition.path("metadata").path("annotations").has(APPROVAL)) {
            found.add(Violation.required(
                    "metadata.annotations[" + APPROVAL + "]",
                    "protected groups must have approval annotation \"" + APPROVAL + "\""));
        }
    }

    private static void names(JsonNode names, List<Violation> found) {
        label("spec.names.plural", Json.text(names, "plural"), found);
        label("spec.names.singular", Json.text(names, "singular"), found);
        String kind = Json.text(names, "kind");
        if (!kind.isEmpty() && !LABEL.matcher(kind.toLowerCase(Locale.ROOT)).matches()) {
            found.add(Violation.invalid(
                    "spec.names.kind",
                    Json.string(kind).toString(),
                    "may have mixed case, but should otherwise match: " + LABEL_RULE));
        }
        for (int i = 0; i < names.path("shortNames").size(); i++) {
            label(
                    "spec.names.shortNames[" + i + "]",
                    Json.plain(names.path("shortNames").get(i)),
                    found);
        }
    }

    private static void label(String field, String text, List<Violation> found) {
        if (!text.isEmpty() && !LABEL.matcher(text).matches()) {
            found.add(Violation.invalid(field, Json.string(text).toString(), LABEL_RULE));
        }
    }

    private static void versions(JsonNode versions, List<Violation> found) {
        long storage = versions.valueStream()
                .filter(version -> Json.truth(version, "storage"))
                .count();
        if (storage != 1) {
            found.add(Violation.invalid(
                    "spec.versions", versions.toString(), "must have exactly one version marked as storage version"));
        }
        Set<String> names = new HashSet<>();
        for (int i = 0; i < versions.size(); i++) {
            JsonNode version = versions.get(i);
            String path = "spec.versions[" + i + "]";
            label(path + ".name", Json.text(version, "name"), found);
            if (!names.add(Json.text(version, "name"))) {
                found.add(Violation.invalid("spec.versions", versions.toString(), "must contain unique version names"));
            }
            // A real server moves what all versions have in common to the top before it looks at it.
            boolean alone = versions.size() == 1;
            columns(version.path("additionalPrinterColumns"), alone ? "spec" : path, found);
            JsonNode schema = version.path("schema").path("openAPIV3Schema");
            if (schema.isObject()) {
                String place = alone ? "spec.validation" : path + ".schema";
                found.addAll(StructuralRules.violations(schema, place + ".openAPIV3Schema"));
            } else {
                found.add(Violation.required(path + ".schema.openAPIV3Schema"));
            }
        }
    }

    private static void columns(JsonNode columns, String path, List<Violation> found) {
        for (int i = 0; i < columns.size(); i++) {
            String type = Json.text(columns.get(i), "type");
            if (!type.isEmpty() && !COLUMN_TYPES.contains(type)) {
                found.add(Violation.invalid(
                        path + ".additionalPrinterColumns[" + i + "].type",
                        Json.string(type).toString(),
                        "must be one of boolean,date,integer,number,string"));
            }
        }
    }

    private static void changes(ObjectNode before, ObjectNode definition, List<Violation> found) {
        String scope = Json.text(definition, "spec", "scope");
        if (!scope.equals(Json.text(before, "spec", "scope"))) {
            found.add(Violation.invalid("spec.scope", Json.string(scope).toString(), "field is immutable"));
        }
        String kind = Json.text(definition, "spec", "names", "kind");
        if (!kind.equals(Json.text(before, "spec", "names", "kind"))) {
            found.add(Violation.invalid("spec.names.kind", Json.string(kind).toString(), "field is immutable"));
        }
        List<String> names = definition
                .path("spec")
                .path("versions")
                .valueStream()
                .map(version -> Json.text(version, "name"))
                .toList();
        JsonNode stored = definition.path("status").path("storedVersions");
        for (int i = 0; i < stored.size(); i++) {
            String version = Json.plain(stored.get(i));
            if (!names.contains(version)) {
                found.add(Violation.invalid(
                        "status.storedVersions[" + i + "]",
                        Json.string(version).toString(),
                        "missing from spec.versions; " + version + " was previously a storage version, and must remain"
                                + " in spec.versions until a storage migration ensures no data remains persisted in "
                                + version + " and removes " + version + " from status.storedVersions"));
            }
        }
    }
}
