package io.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.sandbox.LoopbackPorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each command waits its whole patience, so all wait at the same time. */
class KafkaDownIT {
    private static final List<String> READERS = List.of("events", "status", "dead-letters list", "topics check");
    private static final List<String> ROLES = List.of("watcher", "worker");

    @TempDir
    private static Path folder;

    @Test
    void givenKafkaThatIsDown_whenRun_thenAddressIsNamedAndExitCodeIsUnreachable() throws Exception {
        String address = "127.0.0.1:" + LoopbackPorts.free();
        var runs = new LinkedHashMap<String, Future<CommandRun>>();
        try (var commands = Executors.newVirtualThreadPerTaskExecutor()) {
            for (String reader : READERS) {
                runs.put(
                        reader,
                        commands.submit(() -> CommandRun.of(
                                Map.of("EVENKEEL_KAFKA_BOOTSTRAP_SERVERS", address), reader.split(" ", -1))));
            }
            for (String role : ROLES) {
                String[] arguments = arguments(role, address);
                runs.put(
                        role,
                        commands.submit(() -> CommandRun.of(Map.of("XDG_DATA_HOME", folder.toString()), arguments)));
            }
        }

        for (var run : runs.entrySet()) {
            CommandRun ended = run.getValue().get();
            assertThat(ended.exitCode()).as(run.getKey()).isEqualTo(4);
            assertThat(ended.err())
                    .as(run.getKey())
                    .contains("evenkeel: Kafka at " + address + " did not answer within 10 s.");
        }
        assertThat(runs).hasSize(READERS.size() + ROLES.size());
    }

    private static String[] arguments(String role, String address) throws IOException {
        Path kubeconfig = Files.writeString(folder.resolve("kubeconfig-" + role), """
            apiVersion: v1
            kind: Config
            current-context: none
            clusters: [{name: none, cluster: {server: "http://127.0.0.1:1"}}]
            users: [{name: none, user: {}}]
            contexts: [{name: none, context: {cluster: none, user: none}}]
            """);
        return new String[] {
            role,
            "--set=kafka.bootstrap.servers=" + address,
            "--set=cluster.kubeconfig=" + kubeconfig,
            "--set=watcher.resources=configmaps",
            "--set=http.port=0"
        };
    }
}
