package io.evenkeel.sandbox.kube.api;

import io.evenkeel.sandbox.kube.json.Json;
import io.evenkeel.sandbox.kube.schema.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** The rules for the names of finalizers. Stateless. */
public final class Finalizers {
    private static final String FIELD = "metadata.finalizers";
    private static final String ORPHAN = "orphan";
    private static final String FOREGROUND = "foregroundDeletion";
    private static final Set<String> STANDARD = Set.of("kubernetes", ORPHAN, FOREGROUND);

    private Finalizers() {}

    /** What a client should know about finalizers of a custom resource that the object did not have before. */
    public static List<String> warnings(JsonNode finalizers, JsonNode before) {
        List<String> known = names(before);
        return names(finalizers).stream()
                .filter(name -> isUnqualified(name) && !known.contains(name))
                .map(name -> FIELD + ": \"" + name + "\": prefer a domain-qualified finalizer name to avoid accidental"
                        + " conflicts with other finalizer writers")
                .toList();
    }

    static List<Violation> violations(Resource resource, JsonNode finalizers) {
        List<Violation> found = new ArrayList<>();
        List<String> names = names(finalizers);
        names.forEach(name -> found.addAll(Patterns.qualifiedName(FIELD, name)));
        if (names.contains(ORPHAN) && names.contains(FOREGROUND)) {
            found.add(Violation.invalid(
                    FIELD, finalizers.toString(), "finalizer orphan and foregroundDeletion cannot be both set"));
        }
        for (int i = 0; resource.traits().strictFinalizers() && i < names.size(); i++) {
            if (isUnqualified(names.get(i))) {
                found.add(Violation.invalid(
                        FIELD + "[" + i + "]",
                        Json.string(names.get(i)).toString(),
                        "name is neither a standard finalizer name nor is it fully qualified"));
            }
        }
        return found;
    }

    private static boolean isUnqualified(String name) {
        return !name.contains("/") && !STANDARD.contains(name);
    }

    private static List<String> names(JsonNode finalizers) {
        return finalizers.valueStream().map(Json::plain).toList();
    }
}
