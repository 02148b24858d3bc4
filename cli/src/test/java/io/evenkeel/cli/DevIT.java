package io.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.evenkeel.sandbox.LoopbackPorts;
import io.evenkeel.sandbox.kube.KubeSim;
import io.evenkeel.sandbox.real.RealKubeApi;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code dev}: its life as a process of its own, the way a person starts it; what it begins with inside the test. */
class DevIT {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final List<String> PORTS = List.of("--http-port", "--kafka-port", "--kube-port");

    @TempDir
    private Path folder;

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void endWhatIsLeft() throws InterruptedException {
        for (Process process : started) {
            process.destroyForcibly();
            process.waitFor();
        }
    }

    @Test
    void givenRunningDev_whenStoppedAndStartedAgain_thenItResumesWithoutAList() throws Exception {
        int http = LoopbackPorts.free();
        Process first = dev("first", "--http-port", Integer.toString(http));
        awaitReady(first, "first");
        assertThat(output("first"))
                .contains("export KUBECONFIG=" + folder.resolve("data").resolve("kubeconfig"))
                .contains("http://127.0.0.1:" + http + "/");
        assertThat(metrics(http)).contains("verb=\"list\"");
        assertThat(run("dead-letters", "list").out()).contains("No dead letters.");

        Process second = dev("second");
        assertThat(second.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(second.exitValue()).isEqualTo(3);
        assertThat(output("second")).contains("Another dev runs on " + folder.resolve("data"));

        first.destroy();
        assertThat(first.waitFor(15, TimeUnit.SECONDS)).isTrue();
        assertThat(first.exitValue()).isZero();
        assertThat(output("first")).contains("Stopped");

        Process again = dev("again", "--http-port", Integer.toString(http));
        awaitReady(again, "again");
        assertThat(metrics(http))
                .contains("evenkeel_watcher_api_requests_total")
                .doesNotContain("verb=\"list\"");
    }

    @Test
    void givenNothingIsKept_whenItRunsOnARealApiServerAndStops_thenItsFolderIsGone() {
        assumeTrue(RealKubeApi.assetsOrExplain().isPresent());

        CommandRun run = untilReady("--kubernetes", "real", "--ephemeral");

        assertThat(run.exitCode()).as(run.err()).isZero();
        String beginning = "  Data, logs  ";
        Path kept = Path.of(run.out()
                .lines()
                .filter(line -> line.startsWith(beginning))
                .findFirst()
                .orElseThrow()
                .substring(beginning.length()));
        assertThat(run.out()).contains("export KUBECONFIG=" + kept.resolve("kubeconfig"));
        // On a busy machine a part may outlast the limit, which it then says; what it still writes stays.
        boolean inTime = !run.err().contains("did not stop in time");
        assertThat(inTime && Files.exists(kept))
                .as("folder after an orderly stop")
                .isFalse();
        assertThat(ProcessHandle.current().descendants())
                .as("programs that work in the folder")
                .noneMatch(process -> process.info().commandLine().orElse("").contains(kept.toString()));
    }

    @Test
    void givenAKubeconfig_whenItRuns_thenItWorksOnThatCluster() throws Exception {
        try (KubeSim cluster = KubeSim.builder().start()) {
            Path kubeconfig = Files.writeString(folder.resolve("theirs"), cluster.kubeconfig());
            var watched =
                    CompletableFuture.runAsync(() -> await().atMost(PATIENCE).until(() -> cluster.openWatches() > 0));

            CommandRun run = untilReady("--kubernetes", kubeconfig.toString(), "--ephemeral");

            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(run.out())
                    .contains("export KUBECONFIG=" + kubeconfig)
                    .contains("kubectl apply -f")
                    .contains("crd.yaml");
            watched.get();
        }
    }

    @Test
    void givenTakenPort_whenStarted_thenPortAndFlagAreNamed() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            for (String flag : PORTS) {
                CommandRun run = untilReady("--ephemeral", flag, Integer.toString(taken.getLocalPort()));

                assertThat(run.exitCode()).isEqualTo(4);
                assertThat(run.err()).contains("Port " + taken.getLocalPort()).contains(flag);
            }
        }
    }

    /** {@code dev} inside the test, up to the moment at which a person would begin to work with it. */
    private CommandRun untilReady(String... options) {
        var arguments = new ArrayList<>(List.of("dev", "--stop-when-ready"));
        arguments.addAll(Arrays.asList(options));
        arguments.addAll(portsBesides(options));
        return run(arguments.toArray(String[]::new));
    }

    private static List<String> portsBesides(String... options) {
        return PORTS.stream()
                .filter(flag -> !Arrays.asList(options).contains(flag))
                .flatMap(flag -> Stream.of(flag, "0"))
                .toList();
    }

    private CommandRun run(String... arguments) {
        var environment = new HashMap<>(System.getenv());
        environment.put("XDG_DATA_HOME", folder.toString());
        return CommandRun.of(environment, arguments);
    }

    private void awaitReady(Process process, String name) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(
                                output(name) + (process.isAlive() ? "" : " (ended with " + process.exitValue() + ")"))
                        .contains("Evenkeel runs"));
    }

    private Process dev(String name, String... more) throws IOException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                "io.evenkeel.cli.Main",
                "dev"));
        command.addAll(List.of("--data-dir", folder.resolve("data").toString()));
        command.addAll(portsBesides(more));
        command.addAll(Arrays.asList(more));
        var builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(name).toFile());
        builder.environment().put("XDG_DATA_HOME", folder.toString());
        Process process = builder.start();
        started.add(process);
        return process;
    }

    private String output(String name) throws IOException {
        return Files.readString(folder.resolve(name), StandardCharsets.UTF_8);
    }

    private static String metrics(int port) throws IOException, InterruptedException {
        try (var client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                    .build();
            return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
        }
    }
}
