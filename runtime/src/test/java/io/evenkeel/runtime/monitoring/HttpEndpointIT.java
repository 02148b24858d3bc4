package io.evenkeel.runtime.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.runtime.process.ExitCode;
import io.evenkeel.runtime.process.PortTakenException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class HttpEndpointIT {
    private static final HttpSettings ANY_PORT = new HttpSettings("127.0.0.1", 0);

    @Test
    void givenMetrics_whenScraped_thenPrometheusTextIsServed() throws Exception {
        try (var metrics = new Metrics();
                var endpoint = HttpEndpoint.start(ANY_PORT, "http.port", metrics, new HealthChecks())) {
            metrics.registry().counter("evenkeel.test", "cluster", "eu-1").increment();

            HttpResponse<String> response = get(endpoint, "/metrics");

            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.body())
                    .contains("evenkeel_test_total{cluster=\"eu-1\"} 1.0")
                    .contains("jvm_memory_used_bytes");
        }
    }

    @Test
    void givenFailingCheck_whenAsked_thenItsNameAndProblemAreServed() throws Exception {
        var problem = new AtomicReference<>(Optional.of("cannot be reached"));
        var checks = new HealthChecks();
        checks.add(HealthChecks.Kind.READY, "kafka", problem::get);
        try (var metrics = new Metrics();
                var endpoint = HttpEndpoint.start(ANY_PORT, "http.port", metrics, checks)) {
            assertThat(get(endpoint, "/readyz").statusCode()).isEqualTo(503);
            assertThat(get(endpoint, "/healthz").body()).isEqualTo("kafka: cannot be reached\n");
            assertThat(get(endpoint, "/livez").statusCode()).isEqualTo(200);

            problem.set(Optional.empty());

            assertThat(get(endpoint, "/readyz").body()).isEqualTo("ok\n");
            assertThat(get(endpoint, "/other").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void givenTakenPort_whenStarted_thenPortAndFlagAreNamed() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var metrics = new Metrics()) {
            var settings = new HttpSettings("127.0.0.1", taken.getLocalPort());

            assertThatThrownBy(() -> HttpEndpoint.start(settings, "--http-port", metrics, new HealthChecks()))
                    .isInstanceOfSatisfying(
                            PortTakenException.class,
                            e -> assertThat(e.exitCode()).isEqualTo(ExitCode.UNREACHABLE))
                    .hasMessageContaining("Port " + taken.getLocalPort())
                    .hasMessageContaining("--http-port");
        }
    }

    private static HttpResponse<String> get(HttpEndpoint endpoint, String path)
            throws IOException, InterruptedException {
        try (var client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + endpoint.port() + path))
                    .build();
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        }
    }
}
