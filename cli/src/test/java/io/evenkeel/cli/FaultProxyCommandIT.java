package io.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.evenkeel.sandbox.LoopbackPorts;
import io.evenkeel.sandbox.fault.upstream.Header;
import io.evenkeel.sandbox.fault.upstream.Kubeconfig;
import io.evenkeel.sandbox.fault.upstream.UpstreamClient;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FaultProxyCommandIT {
    @TempDir
    private Path folder;

    private HttpServer server;
    private Path upstream;
    private Path script;

    @BeforeEach
    void startServer() throws IOException {
        server = HttpServer.create(LoopbackPorts.address(0), 0);
        server.createContext("/", exchange -> {
            byte[] body = exchange.getRequestHeaders().getFirst("Authorization").getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        upstream = Files.writeString(
                folder.resolve("upstream"), """
                    current-context: eu-1
                    contexts:
                    - {name: eu-1, context: {cluster: c, user: u}}
                    - {name: eu-2, context: {cluster: c, user: u}}
                    clusters: [{name: c, cluster: {server: "http://127.0.0.1:%d"}}]
                    users: [{name: u, user: {token: abc}}]
                    """.formatted(server.getAddress().getPort()));
        script = Files.writeString(folder.resolve("faults.yaml"), """
            rules:
            - name: busy
              when: {verb: list, cluster: eu-2}
              hit: {nth: 1}
              fault: {answer: {status: 429, retry-after: 3s}}
            """);
    }

    @AfterEach
    void stopServer() {
        server.stop(0);
    }

    @Test
    void givenAScriptAndTwoContexts_whenRun_thenItsKubeconfigLeadsThroughProxiesThatCount() throws Exception {
        Path out = folder.resolve("new/out");
        var run = new CompletableFuture<CommandRun>();
        Thread command = Thread.ofVirtual()
                .start(() -> run.complete(CommandRun.of(
                        Map.of("KUBECONFIG", upstream.toString()),
                        "fault-proxy",
                        "--script=" + script,
                        "--context=eu-1",
                        "--context=eu-2",
                        "--out-kubeconfig=" + out)));
        await().atMost(Duration.ofSeconds(60)).until(() -> Files.exists(out) || run.isDone());

        Kubeconfig through = Kubeconfig.read(out);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(out)))
                .isEqualTo("rw-------");
        assertThat(list(through, "eu-1")).isEqualTo("200 Bearer abc");
        assertThat(list(through, "eu-2")).startsWith("429");
        assertThat(list(through, "eu-2")).isEqualTo("200 Bearer abc");
        command.interrupt();

        CommandRun ended = run.join();
        assertThat(ended.exitCode()).isZero();
        assertThat(ended.err()).isEmpty();
        assertThat(ended.out())
                .contains("eu-1 busy: 0 requests, 0 hit, happened 0 times")
                .contains("eu-2 busy: 2 requests, 1 hit, happened 1 times");
    }

    private static String list(Kubeconfig config, String context) throws IOException, InterruptedException {
        try (var client = new UpstreamClient(config.upstream(context))) {
            HttpResponse<InputStream> answer =
                    client.send("GET", "/api/v1/pods", List.of(new Header("Authorization", "Bearer abc")), new byte[0]);
            try (InputStream body = answer.body()) {
                return answer.statusCode() + " " + new String(body.readAllBytes(), StandardCharsets.UTF_8);
            }
        }
    }

    @Test
    void givenABadScript_whenRun_thenEveryMistakeIsALineAndNothingStarts() throws IOException {
        Files.writeString(script, "seed: x\nrules:\n- fault: explode\n");

        CommandRun run = start();

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err().lines()).hasSize(3).allMatch(line -> line.startsWith("evenkeel: " + script + " line "));
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @Test
    void givenAPortInUse_whenRun_thenTheMessageSaysWhichAndWhatToDo() {
        CommandRun run = start("--port=" + server.getAddress().getPort());

        assertThat(run.exitCode()).isEqualTo(4);
        assertThat(run.err())
                .contains(String.valueOf(server.getAddress().getPort()))
                .contains("--port");
    }

    @Test
    void givenAnUnknownContext_whenRun_thenTheKnownOnesAreNamed() {
        CommandRun run = start("--context=eu-3");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("\"eu-3\"").contains("eu-1, eu-2");
    }

    private CommandRun start(String... more) {
        var arguments = new ArrayList<>(List.of(
                "fault-proxy",
                "--script=" + script,
                "--kubeconfig=" + upstream,
                "--out-kubeconfig=" + folder.resolve("out")));
        arguments.addAll(List.of(more));
        return CommandRun.of(Map.of(), arguments.toArray(String[]::new));
    }
}
