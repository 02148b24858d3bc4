package io.evenkeel.watcher;

import io.evenkeel.api.ShardKey;
import io.evenkeel.api.record.Selection;
import io.evenkeel.runtime.cluster.ClusterDefinition;
import io.evenkeel.watcher.connection.ResourceType;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which resources of a cluster are watched, and what of each.
 *
 * @param resources named ones and, at most once, everything
 * @param excluded left out of everything
 */
record ResourcePlan(List<WatchedResource> resources, List<ResourceName> excluded) {
    /** Groups whose resources are served, under the same names, by others too: one storage, two ways to it. */
    private static final Map<String, Set<String>> FIRST_GROUPS =
            Map.of("events.k8s.io", Set.of(""), "extensions", Set.of("apps", "networking.k8s.io", "policy"));

    ResourcePlan {
        resources = List.copyOf(resources);
        excluded = List.copyOf(excluded);
    }

    /** Whether it depends on what a cluster serves. */
    boolean hasEverything() {
        return everything().isPresent();
    }

    /**
     * The shards of a cluster.
     *
     * @param served what can be listed and watched; of no use if only named resources are watched
     */
    Map<ShardKey, Selection> shards(ClusterDefinition cluster, Collection<ResourceType> served) {
        var shards = new LinkedHashMap<ShardKey, Selection>();
        for (WatchedResource resource : resources) {
            resource.name()
                    .ifPresent(name -> shards.put(name.in(cluster.name()), within(cluster, resource.selection())));
        }
        everything().map(all -> within(cluster, all.selection())).ifPresent(selection -> {
            Set<ResourceName> names = new LinkedHashSet<>();
            served.stream()
                    .filter(type -> type.namespaced() || selection.namespace().isEmpty())
                    .map(ResourcePlan::name)
                    .filter(name -> !excluded.contains(name))
                    .forEach(names::add);
            names.stream()
                    .filter(name -> !isSecond(name, names))
                    .forEach(name -> shards.putIfAbsent(name.in(cluster.name()), selection));
        });
        return shards;
    }

    private Optional<WatchedResource> everything() {
        return resources.stream().filter(WatchedResource::isEverything).findFirst();
    }

    private static Selection within(ClusterDefinition cluster, Selection selection) {
        return selection.namespace().isPresent() ? selection : new Selection(selection.labels(), cluster.namespace());
    }

    private static ResourceName name(ResourceType type) {
        return new ResourceName(type.plural(), type.group());
    }

    /** Its objects are those of a resource that is watched in another group. */
    private static boolean isSecond(ResourceName name, Set<ResourceName> all) {
        return FIRST_GROUPS.getOrDefault(name.group(), Set.of()).stream()
                .anyMatch(group -> all.contains(new ResourceName(name.plural(), group)));
    }
}
