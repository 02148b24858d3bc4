package io.evenkeel.watcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.ShardKey;
import io.evenkeel.api.record.Selection;
import io.evenkeel.runtime.cluster.ClusterAccess;
import io.evenkeel.runtime.cluster.ClusterDefinition;
import io.evenkeel.watcher.connection.ResourceType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class ResourcePlanTest {
    private static final List<ResourceType> SERVED = List.of(
            type("", "pods", true),
            type("", "events", true),
            type("", "secrets", true),
            type("", "nodes", false),
            type("apps", "deployments", true),
            type("extensions", "deployments", true),
            type("events.k8s.io", "events", true),
            type("example.com", "events", true));

    @Test
    void givenEverything_whenPlanned_thenExcludedAndSecondNamesAreLeftOut() {
        assertThat(plan(List.of("*"), "events", "secrets"))
                .containsOnlyKeys("pods", "nodes", "deployments.apps", "events.example.com", "events.events.k8s.io");
        assertThat(plan(List.of("*")))
                .containsOnlyKeys("pods", "events", "secrets", "nodes", "deployments.apps", "events.example.com");
    }

    @Test
    void givenANamedResourceBesideEverything_whenPlanned_thenItsSelectionAndPresenceWin() {
        Map<String, Selection> shards =
                plan(List.of("* -n shop", "secrets -l app=web", "gadgets.example.com"), "secrets");
        assertThat(shards)
                .containsEntry("secrets", new Selection(Optional.of("app=web"), Optional.empty()))
                .containsEntry("pods", new Selection(Optional.empty(), Optional.of("shop")))
                .containsEntry("gadgets.example.com", Selection.ALL)
                .doesNotContainKey("nodes");
    }

    @Test
    void givenClusterOfOneNamespace_whenPlanned_thenItBoundsWhatHasNone() {
        var plan = new ResourcePlan(
                Stream.of("*", "services -n other").map(WatchedResource::parse).toList(), List.of());
        Map<ShardKey, Selection> shards = plan.shards(cluster(Optional.of("shop")), SERVED);
        assertThat(shards)
                .containsEntry(new ShardKey("eu-1", "", "pods"), new Selection(Optional.empty(), Optional.of("shop")))
                .containsEntry(
                        new ShardKey("eu-1", "", "services"), new Selection(Optional.empty(), Optional.of("other")))
                .doesNotContainKey(new ShardKey("eu-1", "", "nodes"));
    }

    private static Map<String, Selection> plan(List<String> resources, String... excluded) {
        var plan = new ResourcePlan(
                resources.stream().map(WatchedResource::parse).toList(),
                Stream.of(excluded).map(ResourceName::parse).toList());
        var shards = new java.util.TreeMap<String, Selection>();
        plan.shards(cluster(Optional.empty()), SERVED)
                .forEach((shard, selection) ->
                        shards.put(new ResourceName(shard.resource(), shard.group()).toString(), selection));
        return shards;
    }

    private static ClusterDefinition cluster(Optional<String> namespace) {
        return new ClusterDefinition("eu-1", new ClusterAccess.Ambient(Optional.empty(), Optional.empty()), namespace);
    }

    private static ResourceType type(String group, String plural, boolean namespaced) {
        return new ResourceType(group, "v1", plural, "Kind", namespaced);
    }
}
