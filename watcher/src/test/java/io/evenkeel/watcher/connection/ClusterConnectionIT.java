package io.evenkeel.watcher.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.runtime.cluster.ClusterChoice;
import io.evenkeel.runtime.cluster.ClusterSource;
import io.evenkeel.sandbox.kube.KubeSim;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Thousands of watches are possible only where they share connections, and that takes HTTP/2. */
class ClusterConnectionIT {
    private static final Duration SILENCE = Duration.ofSeconds(20);

    @ParameterizedTest
    @ValueSource(strings = {"", "    tls-server-name: localhost\n"})
    void givenTls_whenMuchIsAsked_thenItGoesOverHttp2(String serverName, @TempDir Path folder) throws Exception {
        try (KubeSim sim = KubeSim.builder().start();
                ExecutorService http = Executors.newFixedThreadPool(2)) {
            Files.writeString(
                    folder.resolve("sim"), sim.kubeconfig().replace("  cluster:\n", "  cluster:\n" + serverName));
            try (ClusterSource source = new ClusterChoice.Folder(folder, Duration.ofMinutes(1)).open();
                    var connection = new ClusterConnection(
                            source.clusters().values().iterator().next(),
                            http,
                            new SimpleMeterRegistry(),
                            InstantSource.system())) {
                List<Answer> watches = new ArrayList<>();
                for (int watch = 0; watch < 100; watch++) {
                    watches.add(connection.open("watch", "api/v1/pods?watch=1", SILENCE));
                }

                assertThat(watches).allSatisfy(watch -> {
                    assertThat(watch.status()).isEqualTo(200);
                    assertThat(watch.version()).isEqualTo(HttpClient.Version.HTTP_2);
                });
                watches.forEach(Answer::close);
            }
        }
    }
}
