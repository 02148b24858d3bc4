package io.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.api.json.Json;
import io.evenkeel.sandbox.LoopbackPorts;
import io.evenkeel.sandbox.fault.upstream.Header;
import io.evenkeel.sandbox.fault.upstream.Kubeconfig;
import io.evenkeel.sandbox.fault.upstream.UpstreamClient;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimCommandIT {
    @TempDir
    private Path folder;

    @Test
    void givenAFleet_whenRun_thenEachContextAnswersAndWhatToTryIsPrinted() throws Exception {
        Path file = folder.resolve("new/kubeconfig");
        Path each = folder.resolve("each");
        var run = new CompletableFuture<CommandRun>();
        Thread command = Thread.ofVirtual()
                .start(() -> run.complete(sim(
                        "--clusters=3",
                        "--objects=95",
                        "--churn=50",
                        "--port=0",
                        "--kubeconfig=" + file,
                        "--kubeconfig-folder=" + each)));
        await().atMost(Duration.ofSeconds(60)).until(() -> Files.exists(each.resolve("sim-2")) || run.isDone());

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        for (String context : List.of("sim-0", "sim-1", "sim-2")) {
            assertThat(get(file, context, "/readyz")).isEqualTo("200 ok");
            assertThat(get(each.resolve(context), context, "/readyz")).isEqualTo("200 ok");
            assertThat(get(file, context, "/apis/fleet.evenkeel.io/v1/databases"))
                    .startsWith("200 ")
                    .contains("\"name\":\"database-27\"");
        }
        String before = get(file, "sim-1", "/api/v1/pods");
        await().until(() -> !get(file, "sim-1", "/api/v1/pods").equals(before));
        command.interrupt();

        CommandRun ended = run.join();
        assertThat(ended.exitCode()).isZero();
        assertThat(ended.out())
                .contains("sim-0, sim-1, sim-2")
                .contains("export KUBECONFIG=" + file)
                .contains("kubectl --context sim-0 get --raw /readyz");
    }

    private static String get(Path kubeconfig, String context, String path) throws IOException, InterruptedException {
        String token = Files.readAllLines(kubeconfig).stream()
                .filter(line -> line.strip().startsWith("token: "))
                .map(line -> line.strip().substring("token: ".length()))
                .findFirst()
                .orElseThrow();
        try (var client = new UpstreamClient(Kubeconfig.read(kubeconfig).upstream(context))) {
            HttpResponse<InputStream> answer =
                    client.send("GET", path, List.of(new Header("Authorization", "Bearer " + token)), new byte[0]);
            try (InputStream body = answer.body()) {
                return answer.statusCode() + " " + new String(body.readAllBytes(), StandardCharsets.UTF_8);
            }
        }
    }

    @Test
    void givenATakenPort_whenRun_thenPortAndFlagAreNamed() throws IOException {
        try (var taken = new ServerSocket()) {
            taken.bind(LoopbackPorts.address(LoopbackPorts.free()));

            CommandRun run = sim("--port=" + taken.getLocalPort());

            assertThat(run.exitCode()).isEqualTo(4);
            assertThat(run.err()).contains("Port " + taken.getLocalPort()).contains("--port");
        }
    }

    @Test
    void givenBadNumbers_whenRun_thenFlagRangeAndValueAreNamed() {
        assertUsage("--clusters must be 1 to 10000 but is 0.", "--clusters=0");
        assertUsage("--objects must be 0 to 10000000 but is -5.", "--objects=-5");
        assertUsage("--churn must be 0 to 1000000 but is -1.", "--churn=-1");
        assertUsage("--history must be 1 to 1000000 but is 0.", "--history=0");
        assertUsage("--port must be 0 to 65535 but is 70000.", "--port=70000");
        assertUsage("'many' is not an int", "--clusters=many");
        assertUsage("EVENKEEL_JAVA_OPTS=-Xmx", "--clusters=10000", "--objects=10000000", "--history=1000000");
    }

    private void assertUsage(String message, String... arguments) {
        CommandRun run = sim(arguments);
        assertThat(run.exitCode()).as(message).isEqualTo(2);
        assertThat(run.err()).contains(message);
    }

    @Test
    void givenASmallFleet_whenMeasured_thenTheLastLineIsTheResult() {
        // As fast as possible, a reader that stands still for seconds on a busy machine would lose its watches.
        CommandRun run = CommandRun.of(
                Map.of(),
                "bench",
                "sim",
                "--clusters=2",
                "--objects=200",
                "--watches=300",
                "--churn=200",
                "--seconds=1");

        assertThat(run.exitCode()).as(run.err()).isZero();
        Map<?, ?> result = Json.read(run.out().lines().toList().getLast().getBytes(StandardCharsets.UTF_8), Map.class);
        assertThat(result.get("clusters")).isEqualTo(2);
        assertThat(result.get("objects")).isEqualTo(200);
        assertThat(result.get("watches")).isEqualTo(300);
        assertThat(result.get("watches_refused_or_ended")).isEqualTo(0);
        assertThat((Integer) result.get("heap_mib_after_gc")).isPositive();
        assertThat((Integer) result.get("watch_frames_per_s")).isPositive();
    }

    private CommandRun sim(String... arguments) {
        var all = new java.util.ArrayList<>(List.of("sim"));
        all.addAll(List.of(arguments));
        return CommandRun.of(Map.of("XDG_DATA_HOME", folder.toString()), all.toArray(String[]::new));
    }
}
