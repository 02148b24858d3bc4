package io.evenkeel.sandbox.kube.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.sandbox.kube.json.Json;
import io.evenkeel.sandbox.kube.schema.Definitions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Discovery, health and version. */
interface DiscoveryContract extends Contract {
    @Test
    default void whenTheVersionIsAsked_thenTheRelease() {
        Reply version = api().get("/version");

        assertThat(version.text("major")).isEqualTo("1");
        assertThat(version.text("minor")).isEqualTo("36");
        assertThat(version.text("gitVersion")).startsWith("v1.36.");
    }

    @Test
    default void whenHealthIsAsked_thenOk() {
        for (String path : new String[] {"/readyz", "/livez", "/healthz"}) {
            Reply reply = api().get(path);
            assertThat(reply.code()).as(path).isEqualTo(200);
            assertThat(reply.body()).as(path).isEqualTo(Json.string("ok"));
        }
    }

    @Test
    default void whenTheCoreVersionsAreAsked_thenV1() {
        Reply reply = api().get("/api");

        assertThat(reply.text("kind")).isEqualTo("APIVersions");
        assertThat(reply.at("/versions/0").stringValue()).isEqualTo("v1");
    }

    @Test
    default void whenTheGroupsAreAsked_thenEachWithItsPreferredVersion() {
        Reply reply = api().get("/apis");

        assertThat(reply.text("kind")).isEqualTo("APIGroupList");
        assertThat(reply.at("/groups").valueStream()).anySatisfy(group -> {
            assertThat(Json.text(group, "name")).isEqualTo("apps");
            assertThat(Json.text(group, "preferredVersion", "groupVersion")).isEqualTo("apps/v1");
        });
    }

    @Test
    default void whenAGroupIsAsked_thenItsVersions() {
        Reply reply = api().get("/apis/" + GROUP);

        assertThat(reply.text("kind")).isEqualTo("APIGroup");
        assertThat(reply.at("/versions").valueStream().map(version -> Json.text(version, "groupVersion")))
                .contains(GROUP + "/v1");
    }

    private static JsonNode entry(Reply reply, String name) {
        return reply.at("/resources")
                .valueStream()
                .filter(resource -> Json.text(resource, "name").equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    default void whenTheResourcesOfAGroupAreAsked_thenNamesVerbsAndSubresources() {
        Reply reply = api().get("/apis/apps/v1");

        JsonNode deployments = entry(reply, "deployments");
        assertThat(reply.text("kind")).isEqualTo("APIResourceList");
        assertThat(Json.text(deployments, "kind")).isEqualTo("Deployment");
        assertThat(Json.text(deployments, "singularName")).isEqualTo("deployment");
        assertThat(deployments.path("namespaced").booleanValue()).isTrue();
        assertThat(deployments.path("verbs").valueStream().map(Json::plain))
                .containsExactly("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");
        assertThat(deployments.path("shortNames").toString()).isEqualTo("[\"deploy\"]");
        assertThat(Json.text(entry(reply, "deployments/scale"), "kind")).isEqualTo("Scale");
        assertThat(Json.text(entry(reply, "deployments/scale"), "group")).isEqualTo("autoscaling");
    }

    @Test
    default void givenACustomResource_whenDiscovered_thenLikeAnyOther() {
        JsonNode widgets = entry(api().get("/apis/" + GROUP + "/v1"), "widgets");

        assertThat(Json.text(widgets, "kind")).isEqualTo("Widget");
        assertThat(widgets.path("shortNames").toString()).isEqualTo("[\"wd\"]");
    }

    @Test
    default void whenAggregatedDiscoveryIsAsked_thenAllResourcesAtOnce() {
        Reply reply = api().get("/apis", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList");

        assertThat(reply.text("kind")).isEqualTo("APIGroupDiscoveryList");
        JsonNode apps = reply.at("/items")
                .valueStream()
                .filter(group -> Json.text(group, "metadata", "name").equals("apps"))
                .findFirst()
                .orElseThrow();
        JsonNode deployments = apps.at("/versions/0/resources")
                .valueStream()
                .filter(resource -> Json.text(resource, "resource").equals("deployments"))
                .findFirst()
                .orElseThrow();
        assertThat(Json.text(deployments, "scope")).isEqualTo("Namespaced");
        assertThat(Json.text(deployments, "responseKind", "kind")).isEqualTo("Deployment");
        assertThat(deployments.path("subresources").valueStream().map(sub -> Json.text(sub, "subresource")))
                .contains("status", "scale");
    }

    @Test
    default void whenOpenApiIsAsked_thenSchemasTellHowListsMerge() {
        Reply index = api().get("/openapi/v3");
        String address = index.body()
                .path("paths")
                .path("apis/apps/v1")
                .path("serverRelativeURL")
                .stringValue();
        Reply document = api().get(address);

        assertThat(document.at("/components/schemas/io.k8s.api.core.v1.PodSpec/properties/containers/"
                                + "x-kubernetes-list-map-keys/0")
                        .stringValue())
                .isEqualTo("name");
    }

    @Test
    default void givenNothingThere_whenAMethodDoesNotFit_thenNotAllowed() {
        Reply reply = api().post("/api/v1/namespaces/default/configmaps/a", "{}");

        assertThat(reply.code()).isEqualTo(405);
        assertThat(reply.reason()).isEqualTo("MethodNotAllowed");
    }

    @Test
    default void givenTablesOfManyKinds_whenListed_thenTheirColumnsAreThose() throws IOException {
        String text;
        try (InputStream in = DiscoveryContract.class.getResourceAsStream("table-columns.txt")) {
            text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        }
        String tables = text.lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.substring(0, line.indexOf(' ')))
                .map(path -> path + " " + String.join(", ", columns(path)) + "\n")
                .collect(Collectors.joining());

        assertThat(text).endsWith(tables);
    }

    @Test
    default void whenAllResourcesAreAsked_thenThoseOfTheListAndNoOther() {
        Set<String> served = new TreeSet<>(resources(api()));
        served.removeAll(leftOut());

        assertThat(served).isEqualTo(listed());
    }

    /** What the simulated server serves of what a real one has, as {@code apps/v1/deployments/scale}. */
    private static Set<String> listed() {
        Set<String> names = new TreeSet<>();
        for (JsonNode resource : Definitions.resourceTree("resources.json")) {
            String group = Json.text(resource, "group");
            String name = (group.isEmpty() ? "" : group + "/") + Json.text(resource, "version") + "/"
                    + Json.text(resource, "plural");
            names.add(name);
            resource.path("subresources").forEach(sub -> names.add(name + "/" + Json.text(sub, "name")));
        }
        return names;
    }

    /** What it leaves out, in the same form. */
    static Set<String> leftOut() {
        return Definitions.resource("left-out.json").properties().stream()
                .flatMap(version ->
                        version.getValue().valueStream().map(name -> version.getKey() + "/" + Json.plain(name)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** All resources of a server but those that the cases define, in the same form. */
    static Set<String> resources(ApiClient api) {
        Set<String> names = new TreeSet<>();
        for (String path : List.of("/api", "/apis")) {
            Reply groups = api.get(path, "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList");
            for (JsonNode group : groups.at("/items")) {
                String groupName = Json.text(group, "metadata", "name");
                for (JsonNode version : groupName.equals(GROUP) ? Json.array() : group.path("versions")) {
                    String prefix = (groupName.isEmpty() ? "" : groupName + "/") + Json.text(version, "version") + "/";
                    for (JsonNode resource : version.path("resources")) {
                        String name = prefix + Json.text(resource, "resource");
                        names.add(name);
                        resource.path("subresources")
                                .forEach(sub -> names.add(name + "/" + Json.text(sub, "subresource")));
                    }
                }
            }
        }
        return names;
    }
}
