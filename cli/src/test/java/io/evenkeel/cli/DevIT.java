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
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code dev} as a process of its own, the way a person starts it. */
class DevIT {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

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
    void givenNothingIsKept_whenItRunsOnARealApiServerAndStops_thenItsFolderIsGone() throws Exception {
        assumeTrue(RealKubeApi.assetsOrExplain().isPresent());
        Process process = dev("real", "--kubernetes", "real", "--ephemeral");
        awaitReady(process, "real");
        Path kept = Path.of(line("real", "  Data, logs  "));
        assertThat(output("real")).contains("export KUBECONFIG=" + kept.resolve("kubeconfig"));
        assertThat(kept).exists();

        process.destroy();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        // On a busy machine a part may outlast the limit, which it then says; what it still writes stays.
        boolean inTime = !output("real").contains("did not stop in time");
        assertThat(inTime && Files.exists(kept))
                .as("folder after an orderly stop")
                .isFalse();
        assertThat(process.descendants()).isEmpty();
    }

    @Test
    void givenAKubeconfig_whenItRuns_thenItWorksOnThatCluster() throws Exception {
        try (KubeSim cluster = KubeSim.builder().start()) {
            Path kubeconfig = Files.writeString(folder.resolve("theirs"), cluster.kubeconfig());
            Process process = dev("theirs-out", "--kubernetes", kubeconfig.toString());
            awaitReady(process, "theirs-out");
            assertThat(output("theirs-out"))
                    .contains("export KUBECONFIG=" + kubeconfig)
                    .contains("kubectl apply -f")
                    .contains("crd.yaml");
            await().atMost(PATIENCE).until(() -> cluster.openWatches() > 0);
        }
    }

    @Test
    void givenTakenPort_whenStarted_thenPortAndFlagAreNamedAndNothingIsLeftRunning() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            for (String flag : List.of("--http-port", "--kafka-port", "--kube-port")) {
                String name = "taken" + flag;
                Process process = dev(name, flag, Integer.toString(taken.getLocalPort()));

                assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                        .isTrue();
                assertThat(process.exitValue()).isEqualTo(4);
                assertThat(output(name))
                        .contains("Port " + taken.getLocalPort())
                        .contains(flag);
                assertThat(process.descendants()).isEmpty();
            }
        }
    }

    private CommandRun run(String... arguments) {
        return CommandRun.of(java.util.Map.of("XDG_DATA_HOME", folder.toString()), arguments);
    }

    private String line(String name, String beginning) throws IOException {
        return output(name)
                .lines()
                .filter(line -> line.startsWith(beginning))
                .findFirst()
                .orElseThrow()
                .substring(beginning.length());
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
        if (!Arrays.asList(more).contains("--ephemeral")) {
            command.addAll(List.of("--data-dir", folder.resolve("data").toString()));
        }
        for (String flag : List.of("--http-port", "--kafka-port", "--kube-port")) {
            if (!Arrays.asList(more).contains(flag)) {
                command.addAll(List.of(flag, "0"));
            }
        }
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
