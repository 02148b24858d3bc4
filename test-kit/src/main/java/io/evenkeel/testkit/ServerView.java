package io.evenkeel.testkit;

import io.evenkeel.api.ObjectKey;
import io.evenkeel.api.json.Json;
import io.evenkeel.reconciler.ResourceType;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What a server has of some kinds, and how it differs from what it had when it was looked at last. */
final class ServerView {
    private final KubernetesClient client;
    private final String cluster;
    private final List<ResourceType> kinds;
    private final Map<ObjectKey, ObjectNode> known = new HashMap<>();

    ServerView(KubernetesClient client, String cluster, List<ResourceType> kinds) {
        this.client = client;
        this.cluster = cluster;
        this.kinds = kinds;
    }

    /**
     * An object that differs.
     *
     * @param key whose
     * @param before its state before; empty if it is new
     * @param now its state now; empty if it is gone
     */
    record Difference(ObjectKey key, Optional<ObjectNode> before, Optional<ObjectNode> now) {
        /** Sections that differ, as a watcher would say. */
        List<String> sections() {
            var sections = new ArrayList<String>();
            JsonNode from =
                    before.<JsonNode>map(state -> state).orElse(Json.mapper().createObjectNode());
            JsonNode to = now.<JsonNode>map(state -> state).orElse(Json.mapper().createObjectNode());
            names(from, to).stream().sorted().forEach(name -> {
                if (name.equals("metadata")) {
                    names(from.path(name), to.path(name)).stream()
                            .sorted()
                            .filter(part -> !part.equals("resourceVersion"))
                            .filter(part -> !from.path(name)
                                    .path(part)
                                    .equals(to.path(name).path(part)))
                            .forEach(part -> sections.add("metadata." + part));
                } else if (!from.path(name).equals(to.path(name))) {
                    sections.add(name);
                }
            });
            return sections;
        }

        private static Set<String> names(JsonNode from, JsonNode to) {
            Set<String> names = new HashSet<>(from.propertyNames());
            names.addAll(to.propertyNames());
            return names;
        }

        long version() {
            return now.or(() -> before)
                    .map(state -> Long.parseLong(
                            state.path("metadata").path("resourceVersion").asString("0")))
                    .orElse(0L);
        }
    }

    /** What differs since the last call, in the order of the server. */
    List<Difference> differences() {
        Map<ObjectKey, ObjectNode> now = new HashMap<>();
        kinds.forEach(kind -> list(kind).forEach(object -> now.put(key(kind, object), object)));
        var differences = new ArrayList<Difference>();
        now.forEach((key, object) -> {
            Optional<ObjectNode> before = Optional.ofNullable(known.get(key));
            if (!before.equals(Optional.of(object))) {
                differences.add(new Difference(key, before, Optional.of(object)));
            }
        });
        known.forEach((key, object) -> {
            if (!now.containsKey(key)) {
                differences.add(new Difference(key, Optional.of(object), Optional.empty()));
            }
        });
        known.clear();
        known.putAll(now);
        differences.sort(Comparator.comparingLong(Difference::version));
        return differences;
    }

    private List<ObjectNode> list(ResourceType kind) {
        var context = new ResourceDefinitionContext.Builder()
                .withGroup(kind.group())
                .withVersion(kind.version())
                .withKind(kind.kind())
                .withPlural(kind.plural())
                .withNamespaced(kind.namespaced())
                .build();
        List<GenericKubernetesResource> items = client.genericKubernetesResources(context)
                .inAnyNamespace()
                .list()
                .getItems();
        return items.stream().map(item -> tree(kind, item)).toList();
    }

    private ObjectNode tree(ResourceType kind, GenericKubernetesResource item) {
        var tree = (ObjectNode)
                Json.mapper().readTree(client.getKubernetesSerialization().asJson(item));
        tree.put("apiVersion", kind.apiVersion()).put("kind", kind.kind()); // lists leave them out of their items
        tree.withObjectProperty("metadata").remove("managedFields");
        return tree;
    }

    private ObjectKey key(ResourceType kind, ObjectNode object) {
        JsonNode metadata = object.path("metadata");
        return new ObjectKey(
                cluster,
                kind.group(),
                kind.kind(),
                metadata.path("namespace").asString(""),
                metadata.path("name").asString());
    }
}
