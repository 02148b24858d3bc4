package io.evenkeel.sandbox.fleet;

import io.evenkeel.sandbox.kube.json.Json;
import io.evenkeel.sandbox.kube.store.ObjectType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import tools.jackson.databind.JsonNode;

/**
 * One resource of a fleet.
 *
 * @param path of the collection over all namespaces, for example {@code /apis/apps/v1/deployments}
 * @param kind for example {@code Deployment}
 * @param weight its share of all objects, in hundredths
 * @param namespaced false for a cluster-scoped resource
 * @param changeAt the subresource that changes go to; empty for the object itself
 * @param object what objects look like
 * @param change a merge patch
 */
record FleetKind(
        List<String> path,
        String kind,
        int weight,
        boolean namespaced,
        String changeAt,
        Template object,
        Template change) {
    private static final String CUSTOM_GROUP = "fleet.evenkeel.io";

    /** Initialised by the first use. */
    private static final class Holder {
        static final List<FleetKind> ALL = load();
        static final Template DEFINITION = Template.of(read("definition.yaml"));
    }

    FleetKind {
        path = List.copyOf(path);
    }

    /** {@code <plural>.<group>}, or {@code <plural>} of the core group; its path ends with group, version and plural. */
    String resourceName() {
        return path.getFirst().equals("api") ? path.getLast() : path.getLast() + "." + path.get(1);
    }

    /** The 30 resources of every cluster of a fleet. */
    static List<FleetKind> all() {
        return Holder.ALL;
    }

    private static List<FleetKind> load() {
        List<FleetKind> kinds = new ArrayList<>();
        for (JsonNode entry : read("kinds.yaml")) {
            kinds.add(new FleetKind(
                    List.of(Json.text(entry, "path").substring(1).split("/")),
                    Json.text(entry, "object", "kind"),
                    (int) Json.number(entry, 0, "weight"),
                    !Json.truth(entry, "clusterScoped"),
                    Json.text(entry, "changeAt"),
                    Template.of(entry.path("object")),
                    Template.of(entry.path("change"))));
        }
        return List.copyOf(kinds);
    }

    /** The definition that custom resources of a fleet share. */
    static Template definition() {
        return Holder.DEFINITION;
    }

    private static JsonNode read(String file) {
        try (InputStream in = Objects.requireNonNull(FleetKind.class.getResourceAsStream(file))) {
            return Json.parseYaml(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    /** Whether a definition must be there first. */
    boolean custom() {
        return path.contains(CUSTOM_GROUP);
    }

    String plural() {
        return path.getLast();
    }

    /** What the store sorts its objects by. */
    ObjectType type() {
        return new ObjectType(path.getFirst().equals("api") ? "" : path.get(1), plural());
    }

    /** What the names of its objects start with. */
    String singular() {
        return kind.toLowerCase(Locale.ROOT);
    }

    /** The path of the collection in one namespace. */
    List<String> collection(String namespace) {
        if (!namespaced) {
            return path;
        }
        List<String> segments = new ArrayList<>(path.subList(0, path.size() - 1));
        segments.addAll(List.of("namespaces", namespace, plural()));
        return segments;
    }
}
