package io.evenkeel.sandbox.kube.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.sandbox.kube.KubeSim;
import io.evenkeel.sandbox.real.RealKubeApi;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** The same asked of both servers at once: what they answer must be the same. */
@EnabledIf("io.evenkeel.sandbox.real.RealKubeApi#fullAvailable")
class BothServersIT {
    private static final String DEPLOYMENT = Contract.deployment("web", 2).replace('\'', '"');
    private static final String WIDGET =
            Contract.widget("w", "'replicas':3,'ports':[{'port':1}]").replace('\'', '"');

    private static final String OWNERS = "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":["
            + Stream.of("o", "b", "child-of-o", "child-of-b")
                    .map(name -> Contract.configMap(name).replace('\'', '"'))
                    .collect(Collectors.joining(","))
            + "]}";

    private static KubeSim sim;
    private static RealKubeApi real;

    @BeforeAll
    static void start() throws IOException {
        sim = KubeSim.builder().simulateWorkloads(true).start();
        real = RealKubeApi.builder().full().build().start();
    }

    @AfterAll
    static void stop() {
        real.close();
        sim.close();
    }

    @Test
    void givenOneSession_whenRunOnBothServers_thenItPrintsTheSame(@TempDir Path folder) throws Exception {
        Files.writeString(folder.resolve("crd.json"), DefinitionContract.WIDGETS.replace('\'', '"'));
        Files.writeString(folder.resolve("widget.json"), WIDGET);
        Files.writeString(folder.resolve("widget2.json"), WIDGET.replace("\"replicas\":3", "\"replicas\":4"));
        Files.writeString(folder.resolve("bad.json"), WIDGET.replace("\"replicas\":3", "\"replicas\":300"));
        Files.writeString(folder.resolve("web.json"), DEPLOYMENT);
        Files.writeString(folder.resolve("owners.json"), OWNERS);
        Path editor = folder.resolve("editor.sh");
        Files.writeString(editor, "#!/bin/sh\nsed -i 's/replicas: 5/replicas: 6/' \"$1\"\n");
        assertThat(editor.toFile().setExecutable(true)).isTrue();

        List<String> simulated = run(folder, "sim", sim.kubeconfig());

        assertThat(simulated).isEqualTo(run(folder, "real", real.kubeconfig()));
    }

    private static List<String> run(Path folder, String name, String kubeconfig) throws Exception {
        Path config = folder.resolve(name + ".kubeconfig");
        Files.writeString(config, kubeconfig);
        List<String> session = new ArrayList<>();
        for (String line : commands()) {
            session.add("$ kubectl " + line + "\n" + normalized(kubectl(folder, config, line)));
        }
        return session;
    }

    private static List<String> commands() throws IOException {
        try (InputStream in = BothServersIT.class.getResourceAsStream("kubectl-session.txt")) {
            String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
            return text.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .toList();
        }
    }

    private static String kubectl(Path folder, Path config, String line) throws Exception {
        Path binary = Path.of(Objects.requireNonNull(System.getenv("KUBEBUILDER_ASSETS")), "kubectl");
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", binary + " " + line);
        builder.directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().put("KUBECONFIG", config.toString());
        builder.environment()
                .put("HOME", folder.resolve(config.getFileName() + ".home").toString());
        builder.environment().put("KUBECTL", binary.toString());
        builder.environment().put("KUBE_EDITOR", folder.resolve("editor.sh").toString());
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return output + "exit " + process.waitFor();
    }

    /** Takes out what differs between any two runs: ages, uids, versions, times, generated names, addresses. */
    private static String normalized(String output) {
        return output.replaceAll("\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z", "TIME")
                .replaceAll("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "UID")
                .replaceAll("web-[a-z0-9]{8,10}\\b", "web-HASH")
                .replaceAll("https://127.0.0.1:\\d+", "SERVER")
                .replaceAll("10\\.96\\.\\d+\\.\\d+", "ADDRESS")
                .replaceAll("resourceVersion: \"\\d+\"", "resourceVersion: N")
                .replaceAll("\\b(\\d+m)?\\d+s\\b", "AGE")
                .replaceAll("kubectl-edit-\\d+\\.yaml", "kubectl-edit.yaml")
                .replaceAll(" {2,}", "  ");
    }
}
