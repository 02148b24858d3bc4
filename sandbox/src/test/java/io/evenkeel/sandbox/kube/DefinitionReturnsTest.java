package io.evenkeel.sandbox.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.sandbox.kube.api.ApiRequest;
import io.evenkeel.sandbox.kube.api.User;
import io.evenkeel.sandbox.kube.cluster.Cluster;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DefinitionReturnsTest {
    private static final String DEFINITIONS = "apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String DEFINITION = DEFINITIONS + "/widgets.example.com";
    private static final String WIDGETS = "apis/example.com/v1/namespaces/default/widgets";

    @Test
    void givenADefinitionThatReturns_whenTheOldOneWithdrewItsObjects_thenThoseOfTheNewOneStay() throws Exception {
        try (KubeSim sim = KubeSim.builder().clusters(List.of("one")).start()) {
            Cluster cluster = sim.cluster("one");
            for (int life = 0; life < 30; life++) {
                assertThat(ask(cluster, "POST", DEFINITIONS, definition())).isEqualTo(201);
                for (int object = 0; object < 8; object++) {
                    assertThat(ask(cluster, "POST", WIDGETS, widget(object))).isEqualTo(201);
                }
                for (int object = 0; object < 8; object++) {
                    assertThat(ask(cluster, "GET", WIDGETS + "/w-" + object, ""))
                            .as("life %s, object %s", life, object)
                            .isEqualTo(200);
                }
                assertThat(ask(cluster, "DELETE", DEFINITION, "{}")).isEqualTo(200);
                await().pollDelay(Duration.ZERO)
                        .pollInterval(Duration.ofMillis(1))
                        .until(() -> ask(cluster, "GET", DEFINITION, "") == 404);
            }
        }
    }

    private static int ask(Cluster cluster, String method, String path, String json) {
        return cluster.handle(new ApiRequest(
                        method,
                        List.of(path.split("/", -1)),
                        Map.of(),
                        "application/json",
                        "application/json",
                        "test",
                        new ApiRequest.Body(json.getBytes(StandardCharsets.UTF_8)),
                        User.administrator("test")))
                .code();
    }

    private static String widget(int number) {
        return "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"w-" + number + "\"}}";
    }

    private static String definition() {
        return """
            {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
             "metadata":{"name":"widgets.example.com"},
             "spec":{"group":"example.com","scope":"Namespaced","names":{"plural":"widgets","kind":"Widget"},
              "versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}}
            """;
    }
}
