package io.evenkeel.sandbox.kube.api;

import io.evenkeel.sandbox.kube.json.Json;
import io.evenkeel.sandbox.kube.schema.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** The rules for names, labels and annotations. Stateless. */
public final class Patterns {
    private static final Pattern SUBDOMAIN =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
    private static final Pattern QUALIFIED = Pattern.compile("([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]");
    private static final Pattern LABEL_VALUE = Pattern.compile("(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?");

    private Patterns() {}

    /** What is wrong with the metadata of an object about to be stored. */
    public static List<Violation> violations(Resource resource, JsonNode object) {
        List<Violation> found = new ArrayList<>();
        JsonNode metadata = object.path("metadata");
        name(resource, Json.text(metadata, "name"), found);
        metadata.path("labels").properties().forEach(label -> {
            qualified("metadata.labels", label.getKey(), found);
            String value = Json.plain(label.getValue());
            if (value.length() > 63) {
                found.add(new Violation(
                        "FieldValueTooLong", "metadata.labels", "Too long: may not be more than 63 bytes"));
            } else if (!LABEL_VALUE.matcher(value).matches()) {
                found.add(Violation.invalid(
                        "metadata.labels",
                        Json.string(value).toString(),
                        "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.',"
                                + " and must start and end with an alphanumeric character (e.g. 'MyValue',  or"
                                + " 'my_value',  or '12345', regex used for validation is"
                                + " '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"));
            }
        });
        metadata.path("annotations")
                .properties()
                .forEach(annotation -> qualified("metadata.annotations", annotation.getKey(), found));
        return found;
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
                    found.add(Violation.invalid(
                            "metadata.name",
                            quoted,
                            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or"
                                    + " '.', and must start and end with an alphanumeric character (e.g."
                                    + " 'example.com', regex used for validation is '" + SUBDOMAIN.pattern() + "')"));
                }
            }
        }
    }

    private static void qualified(String field, String key, List<Violation> found) {
        int slash = key.indexOf('/');
        String prefix = slash < 0 ? "" : key.substring(0, slash);
        String name = key.substring(slash + 1);
        boolean prefixFits = slash < 0 || SUBDOMAIN.matcher(prefix).matches();
        if (!prefixFits || name.length() > 63 || !QUALIFIED.matcher(name).matches()) {
            found.add(Violation.invalid(
                    field,
                    Json.string(key).toString(),
                    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an"
                            + " alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for"
                            + " validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"));
        }
    }
}
