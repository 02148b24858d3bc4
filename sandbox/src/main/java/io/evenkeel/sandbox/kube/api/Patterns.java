package io.evenkeel.sandbox.kube.api;

import io.evenkeel.sandbox.kube.json.Json;
import io.evenkeel.sandbox.kube.schema.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** The rules for names, labels and annotations. Stateless. */
public final class Patterns {
    private static final Pattern SUBDOMAIN =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
    private static final Pattern QUALIFIED = Pattern.compile("([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]");
    private static final Pattern LABEL_VALUE = Pattern.compile("(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?");
    private static final String SUBDOMAIN_RULE =
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must"
                    + " start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is"
                    + " '" + SUBDOMAIN.pattern() + "')";
    private static final String QUALIFIED_RULE =
            "consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric"
                    + " character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is"
                    + " '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
    private static final int LONGEST_NAME = 63;
    private static final int LARGEST_ANNOTATIONS = 262_144;

    private Patterns() {}

    /** What is wrong with the metadata of an object about to be stored. */
    public static List<Violation> violations(Resource resource, JsonNode object) {
        List<Violation> found = new ArrayList<>();
        JsonNode metadata = object.path("metadata");
        name(resource, Json.text(metadata, "name"), found);
        metadata.path("labels").properties().forEach(label -> {
            found.addAll(qualifiedName("metadata.labels", label.getKey()));
            found.addAll(labelValue("metadata.labels", Json.plain(label.getValue())));
        });
        annotations(metadata.path("annotations"), found);
        found.addAll(OwnerReferences.violations(metadata.path("ownerReferences")));
        found.addAll(Finalizers.violations(resource, metadata.path("finalizers")));
        return found;
    }

    private static void annotations(JsonNode annotations, List<Violation> found) {
        long size = 0;
        for (Map.Entry<String, JsonNode> annotation : annotations.properties()) {
            found.addAll(
                    qualifiedName("metadata.annotations", annotation.getKey().toLowerCase(Locale.ROOT)));
            size += annotation.getKey().length()
                    + Json.plain(annotation.getValue()).length();
        }
        if (size > LARGEST_ANNOTATIONS) {
            found.add(new Violation(
                    "FieldValueTooLong",
                    "metadata.annotations",
                    "Too long: may not be more than " + LARGEST_ANNOTATIONS + " bytes"));
        }
    }

    private static void name(Resource resource, String name, List<Violation> found) {
        if (name.isEmpty()) {
            found.add(Violation.required("metadata.name", "name or generateName is required"));
            return;
        }
        String quoted = '"' + name + '"';
        switch (resource.traits().nameFormat()) {
            case "path" -> {
                if (name.equals(".") || name.equals("..") || name.contains("/") || name.contains("%")) {
                    found.add(Violation.invalid("metadata.name", quoted, "may not contain '/'"));
                }
            }
            case "label" -> {
                if (name.length() > 63 || !LABEL.matcher(name).matches()) {
                    found.add(Violation.invalid(
                            "metadata.name",
                            quoted,
                            "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and"
                                    + " must start and end with an alphanumeric character (e.g. 'my-name',  or"
                                    + " '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"));
                }
            }
            default -> {
                if (name.length() > 253 || !SUBDOMAIN.matcher(name).matches()) {
                    found.add(Violation.invalid("metadata.name", quoted, SUBDOMAIN_RULE));
                }
            }
        }
    }

    /** What is wrong with the value of a label. */
    static List<Violation> labelValue(String field, String value) {
        List<Violation> found = new ArrayList<>();
        String shown = Json.string(value).toString();
        if (value.length() > LONGEST_NAME) {
            found.add(Violation.invalid(field, shown, "must be no more than 63 bytes"));
        }
        if (!LABEL_VALUE.matcher(value).matches()) {
            found.add(Violation.invalid(
                    field,
                    shown,
                    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.',"
                            + " and must start and end with an alphanumeric character (e.g. 'MyValue',  or"
                            + " 'my_value',  or '12345', regex used for validation is"
                            + " '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"));
        }
        return found;
    }

    /** What is wrong with the key of a label or an annotation, or with the name of a finalizer. */
    static List<Violation> qualifiedName(String field, String key) {
        List<Violation> found = new ArrayList<>();
        String shown = Json.string(key).toString();
        String[] parts = key.split("/", -1);
        if (parts.length > 2) {
            return List.of(Violation.invalid(
                    field,
                    shown,
                    "a valid label key must " + QUALIFIED_RULE
                            + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"));
        }
        if (parts.length == 2 && parts[0].isEmpty()) {
            found.add(Violation.invalid(field, shown, "prefix part must be non-empty"));
        } else if (parts.length == 2 && !SUBDOMAIN.matcher(parts[0]).matches()) {
            found.add(Violation.invalid(field, shown, "prefix part " + SUBDOMAIN_RULE));
        }
        String name = parts[parts.length - 1];
        if (name.isEmpty()) {
            found.add(Violation.invalid(field, shown, "name part must be non-empty"));
        } else if (name.length() > LONGEST_NAME) {
            found.add(Violation.invalid(field, shown, "name part must be no more than 63 bytes"));
        }
        if (!QUALIFIED.matcher(name).matches()) {
            found.add(Violation.invalid(field, shown, "name part must " + QUALIFIED_RULE));
        }
        return found;
    }
}
