package io.evenkeel.sandbox.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkeel.sandbox.LoopbackPorts;
import io.evenkeel.sandbox.PortTakenException;
import java.net.BindException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

@EnabledIf("io.evenkeel.sandbox.real.RealKubeApi#available")
class RealKubeApiIT {
    private static final Duration LONG = Duration.ofSeconds(40);
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

    @Test
    void givenAnObject_whenTheApiRestarts_thenItIsKeptAndRequestsAreOnRecord() {
        try (RealKubeApi api = RealKubeApi.builder().auditLog().build().start()) {
            String url = api.url();
            try (KubeClient client = client(api)) {
                assertThat(client.status("/readyz")).contains(200);
                client.create(
                        CONFIG_MAPS, "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"kept\"}}");
            }

            api.restart();

            assertThat(api.url()).isEqualTo(url);
            try (KubeClient client = client(api)) {
                assertThat(client.status(CONFIG_MAPS + "/kept")).contains(200);
                assertThat(client.status(CONFIG_MAPS + "?limit=1")).contains(200);
            }
            List<AuditEntry> ours = api.requests().stream()
                    .filter(request -> request.userAgent().equals("evenkeel-sandbox"))
                    .filter(request -> request.resource().equals("configmaps"))
                    .toList();
            assertThat(ours).extracting(AuditEntry::verb).containsExactly("create", "get", "list");
            assertThat(ours).extracting(AuditEntry::status).containsExactly(201, 200, 200);
        }
    }

    @Test
    @EnabledIf("io.evenkeel.sandbox.real.RealKubeApi#fullAvailable")
    void givenTheFullControlPlane_whenADeploymentIsCreated_thenItBecomesReadyAndCloseLeavesNoProcess() {
        RealKubeApi api = RealKubeApi.builder().full().build().start();
        List<Long> processes = api.processIds();
        try (api;
                KubeClient client = client(api)) {
            assertThat(processes).hasSize(5);
            client.create("/apis/apps/v1/namespaces/default/deployments", DEPLOYMENT);

            await().atMost(LONG)
                    .untilAsserted(() -> assertThat(client.body("/apis/apps/v1/namespaces/default/deployments/web"))
                            .contains("\"readyReplicas\":3"));
        }
        assertThat(processes).allMatch(pid -> ProcessHandle.of(pid).isEmpty());
    }

    @Test
    void givenATakenPort_whenStarted_thenItSaysSo(@TempDir Path folder) throws Exception {
        int port = LoopbackPorts.free();
        RealKubeApi refused =
                RealKubeApi.builder().port(port).dataFolder(folder).build();
        try (ServerSocket other = new ServerSocket()) {
            other.bind(LoopbackPorts.address(port));

            assertThatThrownBy(refused::start)
                    .isInstanceOf(PortTakenException.class)
                    .hasMessageContaining(Integer.toString(port))
                    .hasCauseInstanceOf(BindException.class);
        }
    }

    @Test
    void givenAFlagThatTheServerRefuses_whenStarted_thenTheErrorShowsItsLogAndNothingRuns(@TempDir Path folder) {
        RealKubeApi broken = RealKubeApi.builder()
                .dataFolder(folder)
                .apiServerFlag("--no-such-flag")
                .build();

        assertThatThrownBy(broken::start).hasMessageContaining("unknown flag: --no-such-flag");
        assertThat(broken.processIds()).isEmpty();
    }

    private static KubeClient client(RealKubeApi api) {
        return new KubeClient(new Kubeconfig(api.url(), api.token(), api.certificate()));
    }

    private static final String DEPLOYMENT = """
        {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},
         "spec":{"replicas":3,"selector":{"matchLabels":{"app":"web"}},
                 "template":{"metadata":{"labels":{"app":"web"}},
                             "spec":{"containers":[{"name":"web","image":"example.com/web:1"}]}}}}\
        """;
}
