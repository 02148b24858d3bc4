package io.evenkeel.sandbox.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.sandbox.kube.api.ApiRequest;
import io.evenkeel.sandbox.kube.api.User;
import io.evenkeel.sandbox.kube.cluster.Cluster;
import io.evenkeel.sandbox.kube.json.Json;
import io.evenkeel.sandbox.kube.store.Packing;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class FleetClusterTest {
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-01-01T00:00:00Z"), ZoneOffset.UTC);
    private static final Map<String, Prototype> PROTOTYPES = Prototype.all();
    private static final int OBJECTS = 90;

    static List<FleetKind> kinds() {
        return FleetKind.all();
    }

    @Test
    void thereAreThirtyResourcesAndTheirSharesMakeAWhole() {
        assertThat(kinds().stream().map(FleetKind::path).distinct()).hasSize(30);
        assertThat(kinds().stream().mapToInt(FleetKind::weight).sum()).isEqualTo(100);
    }

    /** Templates stand for what the server does; this is what makes that true. */
    @ParameterizedTest
    @MethodSource("kinds")
    void givenAnyKind_whenCreatedAndChangedTwice_thenTheServerStoresWhatTheTemplatesSay(FleetKind kind)
            throws IOException {
        Map<String, String> values = new HashMap<>(Map.of(
                "name", "web-7", "namespace", "team-3", "app", "app-2", "digit", "4", "hash", "8000000000000001"));
        try (Cluster cluster = cluster()) {
            var requests = new Requests(cluster);
            requests.prepare(List.of("team-3"));
            requests.create(kind, "team-3", kind.object().fill(values));
            JsonNode created = Json.parse(requests.read(kind, "team-3", "web-7"));
            values.put("uid", Json.text(created, "metadata", "uid"));
            values.put("time", CLOCK.instant().toString());
            assertThat(stored(created)).isEqualTo(text(prototype(kind).created(), values, created));

            values.put("newtime", CLOCK.instant().toString());
            for (int change = 1; change <= 2; change++) {
                Map<String, String> changes = new HashMap<>(values);
                changes.put("digit", Integer.toString(6 + change));
                changes.put("change", Integer.toString(change));
                requests.change(kind, "team-3", "web-7", kind.change().fill(changes));
                values.put("newdigit", Integer.toString(6 + change));
                values.put("change", Integer.toString(change));

                JsonNode changed = Json.parse(requests.read(kind, "team-3", "web-7"));
                assertThat(changed).isNotEqualTo(created);
                assertThat(stored(changed)).isEqualTo(text(prototype(kind).changed(), values, changed));
            }
        }
    }

    private static Prototype prototype(FleetKind kind) {
        return Optional.ofNullable(PROTOTYPES.get(kind.plural())).orElseThrow();
    }

    private static String stored(JsonNode shown) {
        return ((ObjectNode) shown.deepCopy())
                .remove(List.of("kind", "apiVersion"))
                .toString();
    }

    private static String text(Template template, Map<String, String> values, JsonNode shown) {
        Map<String, String> all = new HashMap<>(values);
        all.put("revision", Json.text(shown, "metadata", "resourceVersion"));
        return new String(template.fill(all), StandardCharsets.UTF_8);
    }

    @Test
    void givenOneSeed_whenTwoClustersLive_thenTheirHistoriesAreTheSame() throws IOException {
        assertThat(history(7)).isEqualTo(history(7)).isNotEqualTo(history(8));
    }

    private static Map<String, String> history(long seed) throws IOException {
        try (Cluster cluster = cluster()) {
            var fleet = new FleetCluster(cluster, OBJECTS, PROTOTYPES, CLOCK, seed);
            fleet.fill();
            for (int change = 0; change < 2_000; change++) {
                fleet.change();
            }
            return lists(cluster);
        }
    }

    @Test
    void givenManyChanges_whenCounted_thenAtMostOneObjectIsAbsent() throws IOException {
        try (Cluster cluster = cluster()) {
            var fleet = new FleetCluster(cluster, OBJECTS, PROTOTYPES, CLOCK, 1);
            fleet.fill();
            List<Integer> counts = new ArrayList<>();
            for (int round = 0; round < 20; round++) {
                for (int change = 0; change < 100; change++) {
                    fleet.change();
                }
                counts.add(count(cluster));
            }

            assertThat(counts).allMatch(count -> count == OBJECTS || count == OBJECTS - 1);
            assertThat(cluster.resourceVersion()).isGreaterThan(2_000);
        }
    }

    private static int count(Cluster cluster) {
        return kinds().stream()
                .mapToInt(kind -> Json.parse(get(cluster, kind.path()))
                        .path("items")
                        .valueStream()
                        .filter(item -> Json.text(item, "metadata", "labels", "app.kubernetes.io/part-of")
                                .equals("fleet"))
                        .toList()
                        .size())
                .sum();
    }

    @Test
    void givenAnObjectThatAPersonEdited_whenItChangesAgain_thenTheEditStays() throws IOException {
        try (Cluster cluster = cluster()) {
            var fleet = new FleetCluster(cluster, 1, PROTOTYPES, CLOCK, 1);
            fleet.fill();
            FleetKind pods = kinds().getFirst();
            new Requests(cluster)
                    .change(
                            withoutSubresource(pods),
                            "team-0",
                            "pod-0",
                            "{\"metadata\":{\"labels\":{\"mine\":\"yes\"}}}".getBytes(StandardCharsets.UTF_8));

            fleet.change();

            JsonNode pod = Json.parse(new Requests(cluster).read(pods, "team-0", "pod-0"));
            assertThat(Json.text(pod, "metadata", "labels", "mine")).isEqualTo("yes");
            assertThat(Json.text(pod, "status", "phase")).isEqualTo("Running");
        }
    }

    private static FleetKind withoutSubresource(FleetKind kind) {
        return new FleetKind(
                kind.path(), kind.kind(), kind.weight(), kind.namespaced(), "", kind.object(), kind.change());
    }

    private static Map<String, String> lists(Cluster cluster) {
        return kinds().stream().collect(Collectors.toMap(FleetKind::plural, kind -> get(cluster, kind.path())));
    }

    private static String get(Cluster cluster, List<String> path) {
        ApiRequest request =
                new ApiRequest("GET", path, Map.of(), "", "", "", ApiRequest.Body.EMPTY, User.administrator("test"));
        return new String(cluster.handle(request).body(), StandardCharsets.UTF_8);
    }

    private static Cluster cluster() throws IOException {
        return new Cluster(new Cluster.Settings(
                Optional.empty(), 100, false, Duration.ZERO, CLOCK, new SplittableRandom(5), new Packing()));
    }
}
